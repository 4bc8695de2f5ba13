"""The server in front: APIServices, and what is passed on to the servers behind them."""
