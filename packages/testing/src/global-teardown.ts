import { roleName } from './test-roles';
import { administer } from './test-server';

export default async function globalTeardown(): Promise<void> {
  for (const product of ['orchestration', 'metrics']) {
    await administer(
      `DROP DATABASE IF EXISTS "template_${product}_${process.env.TEST_RUN}" WITH (FORCE)`,
    );
  }
  for (const role of ['orchestration', 'metrics', 'owner'] as const) {
    await administer(`DROP ROLE IF EXISTS "${roleName(role)}"`).catch(() => undefined);
  }
}
