"""Table printers: the columns and cells that ``kubectl get`` shows, one file per API group."""
