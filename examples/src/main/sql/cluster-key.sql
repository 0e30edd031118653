-- Separates the servers of a physical copy of a database from those of the original.
-- snippet: sql-cluster-key
update queen.cluster_key set key = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
-- end
