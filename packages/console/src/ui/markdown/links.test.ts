import { targetOf } from './links';

const ID = '01a20291-ad24-705d-b69a-7316579c1214';

describe('targetOf', () => {
  it.each(['https://example.com/a?b=c', 'http://example.com/', 'mailto:ada@example.com'])(
    'returns a link to %s',
    (address) => {
      expect(targetOf(address)).toEqual({ kind: 'outside', href: address });
    },
  );

  it('returns links to agents and attachments', () => {
    expect(targetOf(`agent://${ID}`)).toEqual({ kind: 'agent', agentId: ID });
    const content = `/api/attachments/${ID}/content`;
    expect(targetOf(content)).toEqual({ kind: 'attachment', href: content });
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com/x',
    '/api/companies',
    '/api/attachments/../companies',
    `/api/attachments/${ID}/content?x=1`,
    'agent://x',
    '#top',
    '',
  ])('returns no link for %j', (address) => {
    expect(targetOf(address)).toBeUndefined();
  });
});
