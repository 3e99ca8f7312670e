"""Models, the tasks that they learn, and the folders that hold them trained."""
