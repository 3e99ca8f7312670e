"""Is a published data set what it says it is?"""
