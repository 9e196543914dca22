-- Hosts that the agents of a company may reach through a worker's gateway; null for any public one.
ALTER TABLE "company" ADD COLUMN "egress_allow_list" TEXT[];
