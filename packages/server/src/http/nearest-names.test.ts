import { nearestNames } from './errors';

describe('nearestNames', () => {
  const known = ['title', 'parentId', 'assigneeAgentId', 'assigneeUserId', 'url', 'constructor'];

  it.each([
    ['parent_id', ['parentId']],
    ['Parent-ID', ['parentId']],
    ['parent', ['parentId']],
    ['assignee', ['assigneeAgentId', 'assigneeUserId']],
    ['agentId', ['assigneeAgentId']],
    ['issueTitle', ['title']],
    ['id', []],
    ['urls', []],
    ['', []],
    ['🙂', []],
    ['typo', []],
  ])('given %s, returns %j', (name, expected) => {
    expect(nearestNames(name, known)).toEqual(expected.filter((one) => known.includes(one)));
  });
});
