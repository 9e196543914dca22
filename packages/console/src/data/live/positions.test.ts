import { noteCompaniesRead, noteFollowed, startOf } from './positions';

const read = (search: string, position: string) =>
  noteCompaniesRead(
    new Request(`http://localhost/api/companies${search}`),
    new Response(null, { headers: { 'x-event-position': position } }),
  );

it('startOf returns the stream position of a company, or the position of the company list if the stream has none', () => {
  expect(startOf('one').position).toBe('');
  read('?includeArchived=true', '5-0');
  expect(startOf('one').position).toBe('5-0');
  read('', '7-0');
  read('?includeArchived=true', '8-0');
  read('?cursor=x', '9-0');
  expect(startOf('one').position).toBe('7-0');
  noteFollowed('one', { position: '6-1', mark: 'here' });
  expect([startOf('one'), startOf('other')]).toEqual([
    { position: '6-1', mark: 'here' },
    { position: '7-0', mark: '' },
  ]);
});
