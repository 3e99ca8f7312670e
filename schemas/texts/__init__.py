"""The output of a generation: texts with their proof, the model's attention, and the rows of the input."""
