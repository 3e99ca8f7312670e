"""Object stores through Beam, for `allsaid.storage.files`, which loads this package at the first store address."""
