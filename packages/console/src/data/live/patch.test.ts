import { patchedIn } from './patch';

describe('patchedIn', () => {
  it('patches an entity wherever it occurs, but adds no fields', () => {
    const pages = { pages: [{ items: [{ id: 'a', status: 'idle' }, { id: 'b' }] }] };
    expect(patchedIn(pages, 'a', { status: 'paused', spent: 1 })).toEqual({
      pages: [{ items: [{ id: 'a', status: 'paused' }, { id: 'b' }] }],
    });
    expect(patchedIn(pages, 'b', { status: 'paused' })).toBe(pages);
  });

  it('does not replace a list of rows if the new rows may lack fields', () => {
    const whole = { id: 'a', title: 'Old', triggers: [{ id: 't', kind: 'webhook', secret: 1 }] };
    const changes = { title: 'New', triggers: [{ id: 't', kind: 'webhook' }] };
    expect(patchedIn(whole, 'a', changes)).toEqual({ ...whole, title: 'New' });
    const none = { id: 'a', title: 'Old', triggers: [] };
    expect(patchedIn(none, 'a', changes)).toEqual({ ...none, title: 'New' });
  });

  it('replaces lists of strings, and lists of rows with the same fields', () => {
    const row = { id: 'a', labels: ['x'], issues: [{ id: 'i', status: 'todo' }] };
    const changes = { labels: [], issues: [{ id: 'i', status: 'done' }] };
    expect(patchedIn(row, 'a', changes)).toEqual({ id: 'a', ...changes });
  });
});
