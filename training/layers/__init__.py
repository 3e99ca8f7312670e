"""Parts of networks that know no task, with their gradients."""
