run @work calls=1 calls=2
