"""Parts of networks that models share, with their gradients. They depend on no task and no model."""
