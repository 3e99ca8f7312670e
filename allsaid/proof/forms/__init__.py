"""The forms in which a training part states the values of its rows, and what is made and checked with them."""
