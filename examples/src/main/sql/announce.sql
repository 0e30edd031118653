-- An order and its announcement in one transaction.
-- snippet: sql-push
begin;
insert into orders (id, customer, total) values (4711, 'customer-42', 99.50);
select queen.push('orders', 'customer-42', jsonb_build_object('order', 4711), 'order-4711');
commit;
-- end
