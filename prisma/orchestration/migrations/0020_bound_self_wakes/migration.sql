-- Whether an agent decided when a trigger fires or knows its secret: such a trigger wakes it so often an hour.
ALTER TABLE "routine_trigger" ADD COLUMN "made_by_agent" BOOLEAN NOT NULL DEFAULT false;
UPDATE "routine_trigger" SET "made_by_agent" = true
  FROM "activity"
  WHERE "activity"."company_id" = "routine_trigger"."company_id"
    AND "activity"."entity_type" = 'routine_trigger'
    AND "activity"."entity_id" = "routine_trigger"."id"::text
    AND "activity"."actor_type" = 'agent';

-- How often such triggers have woken an agent since the hour began that the first of them opened; a row of
-- its own, because a firing locks it before the company, and the agent only after that.
CREATE TABLE "agent_self_wake" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "wakes" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "agent_self_wake_pkey" PRIMARY KEY ("agent_id")
);

CREATE UNIQUE INDEX "agent_self_wake_company_id_agent_id_key" ON "agent_self_wake"("company_id", "agent_id");

ALTER TABLE "agent_self_wake" ADD CONSTRAINT "agent_self_wake_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
