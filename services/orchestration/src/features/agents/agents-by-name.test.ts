import type { AgentView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('GET /api/companies/{companyId}/agents?name', () => {
  const harness = useHarness();

  it('finds agents of the company regardless of letter case, but finds no terminated agents', async () => {
    const { api, build } = harness;
    const ada = await build.agent({ name: 'Ada Lovelace' });
    await build.agent({ companyId: ada.companyId, name: 'Ada' });
    const foreign = await build.agent({ name: 'Ada Lovelace' });
    const named = async (name: string, companyId = ada.companyId) => {
      const path = `/api/companies/${companyId}/agents?name=${encodeURIComponent(name)}`;
      return ((await api.get(path).expect(200)).body as AgentView[]).map(({ id }) => id);
    };
    expect(await named('ada LOVELACE')).toEqual([ada.id]);
    expect(await named('Ada Lovelace', foreign.companyId)).toEqual([foreign.id]);
    expect(await named('Ada L')).toEqual([]);
    expect(await named('%')).toEqual([]);
    await api.post(`/api/agents/${ada.id}/terminate`).expect(200);
    expect(await named('Ada Lovelace')).toEqual([]);
    const next = await build.agent({ companyId: ada.companyId, name: 'ADA LOVELACE' });
    expect(await named('Ada Lovelace')).toEqual([next.id]);
    await api.get(`/api/companies/${ada.companyId}/agents?name=`).expect(400);
    await api.get(`/api/companies/${ada.companyId}/agents?name=%00`).expect(400);
  });
});
