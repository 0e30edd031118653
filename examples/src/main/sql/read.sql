-- What is in a partition.
-- snippet: sql-read
select "offset", transaction_id, data from queen.message where queue = 'orders' and partition = 'customer-42';
-- end
