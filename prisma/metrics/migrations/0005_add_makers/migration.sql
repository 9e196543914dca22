-- lock: new columns without a default are catalogue changes and take milliseconds
ALTER TABLE "trade" ADD COLUMN "is_maker" BOOLEAN;
ALTER TABLE "account_fill" ADD COLUMN "is_maker" BOOLEAN;
