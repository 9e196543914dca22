import { useHarness } from '@switchyard/orchestration/test/harness';
import { fillCompany, printTimes } from '@switchyard/orchestration/test/large-company';

describe('the benchmark of the inbox', () => {
  const harness = useHarness();

  it('prints the duration of the inbox’s requests', async () => {
    const { id } = await harness.build.company();
    await fillCompany(harness, id);
    const paths = ['inbox', 'inbox?limit=500', 'inbox/counts'];
    await printTimes(
      harness,
      paths.map((path) => `/api/companies/${id}/${path}`),
    );
  }, 600_000);
});
