-- waiting_for: why a redrive does not go on at this moment, though it is running; null while it does.
alter table queen.redrive add column waiting_for text;
