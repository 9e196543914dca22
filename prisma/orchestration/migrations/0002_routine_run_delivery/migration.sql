-- What a webhook's sender says of a delivery beside its body: `{ event, id, retry }`.
ALTER TABLE "routine_run" ADD COLUMN "delivery" JSONB;
