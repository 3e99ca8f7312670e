"""What a run keeps of itself: its manifest, its history, what it rejected, and what waits for the whole corpus."""
