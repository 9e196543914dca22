export const isInstanceOfSql = (instance: string, runnerId: string) => `EXISTS (
  SELECT 1 FROM runner_instance i WHERE i.id = ${instance} AND i.replaced_at IS NULL
    AND i.runner_id IS NOT DISTINCT FROM ${runnerId})`;
