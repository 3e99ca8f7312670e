"""Parts of networks that models share, with their gradients. They import no task and no model."""
