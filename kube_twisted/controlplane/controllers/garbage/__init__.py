"""The controller ``garbagecollector``: objects go when their owners are gone."""
