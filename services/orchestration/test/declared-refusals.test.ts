import { reachableCodes, writtenRoutes } from './declared-refusals';
import { lookRoutes } from './operations';
import { readRepository } from './read-repository';
import { isTest } from './source-rules';

const SOURCE = /^services\/orchestration\/src\/.*\.ts$/;

describe('the error codes that routes declare', () => {
  const files = readRepository().filter(({ path }) => SOURCE.test(path) && !isTest(path));
  const sources = new Map(files.map((file) => [file.path.replace(/\.ts$/, ''), file]));
  const written = files
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap((file) => writtenRoutes(file));

  const idle = (operation: string, refuses: readonly string[]) => {
    const verbs = written.filter((route) => route.operation === operation);
    const reachable = reachableCodes(
      sources,
      verbs.flatMap((route) => route.verbs),
    );
    return refuses.filter((code) => !reachable.has(code));
  };

  it('can all be thrown by the functions that the routes call', () => {
    const routes = lookRoutes();
    const unreachable = routes.flatMap(({ operation, errors = [] }) =>
      idle(operation, errors).map((code) => `${operation}: ${code}`),
    );
    expect(unreachable).toEqual([]);
    expect(routes.filter(({ errors }) => errors).length).toBeGreaterThan(30);
  });

  it('make this test fail if no function that the route calls can throw the code', () => {
    expect(idle('createGoal', ['cycle', 'replayed'])).toEqual(['replayed']);
    expect(idle('fireTrigger', ['replayed', 'stale_revision'])).toEqual(['stale_revision']);
  });
});
