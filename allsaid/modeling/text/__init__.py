"""From tokens to text ready to publish: spelling, marks and letter case, as a training part has them."""
