-- contract: every release has written ids of rows here; a list that names its entities need not look at each id's form first.
ALTER TABLE "activity" ADD CONSTRAINT "activity_entity_check" CHECK (
  CASE WHEN "entity_type" IN ('issue', 'agent', 'heartbeat_run', 'routine', 'project', 'goal', 'secret', 'label', 'workspace', 'company')
    THEN "entity_id"::uuid IS NOT NULL ELSE true END) NOT VALID;

-- contract: makes a function that the release before does not know
-- What an entity that few activities are about is called now. A list that had a subquery for each of their tables would open
-- all of them for each page, and most pages name none; here each has a plan of its own.
CREATE FUNCTION "name_of_entity"("of_type" TEXT, "of_id" TEXT) RETURNS TEXT LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  CASE "of_type"
    WHEN 'routine' THEN RETURN (SELECT n."title" FROM "routine" n WHERE n."id" = "of_id"::uuid);
    WHEN 'project' THEN RETURN (SELECT n."name" FROM "project" n WHERE n."id" = "of_id"::uuid);
    WHEN 'goal' THEN RETURN (SELECT n."title" FROM "goal" n WHERE n."id" = "of_id"::uuid);
    WHEN 'secret' THEN RETURN (SELECT n."name" FROM "secret" n WHERE n."id" = "of_id"::uuid);
    WHEN 'label' THEN RETURN (SELECT n."name" FROM "label" n WHERE n."id" = "of_id"::uuid);
    WHEN 'workspace' THEN RETURN (SELECT n."name" FROM "workspace" n WHERE n."id" = "of_id"::uuid);
    WHEN 'company' THEN RETURN (SELECT n."name" FROM "company" n WHERE n."id" = "of_id"::uuid);
    ELSE RETURN NULL;
  END CASE;
END $$;
