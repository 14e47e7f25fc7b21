print("creatures")
