"""Parts of networks that models share, with their gradients: they know no task and no model."""
