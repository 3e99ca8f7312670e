"""What every room says to the person at the terminal; and above all rooms the command line."""
