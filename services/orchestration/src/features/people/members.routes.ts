import {
  createInviteBody,
  invite,
  listMembersQuery,
  member,
  updateMemberBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createInvite } from './create-invite';
import { listMembers } from './members';
import { removeMember } from './remove-member';
import { updateMember } from './update-member';

export const memberRoutes = (effects: Pick<Effects, 'config' | 'signIn'>) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/members',
    operation: 'listMembers',
    summary: 'List the people of a company',
    access: 'board',
    query: listMembersQuery,
    answer: z.array(member),
    handle: (call) => listMembers(call, call.query),
  }),
  route({
    method: 'PATCH',
    path: '/api/companies/:companyId/members/:memberId',
    operation: 'updateMember',
    summary: 'Give a member another role',
    refuses: ['conflict'],
    access: 'owner',
    body: updateMemberBody,
    answer: member,
    handle: (call) =>
      updateMember(effects.signIn, call, call.params.memberId as string, call.body.role),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/members/:memberId',
    operation: 'removeMember',
    summary: 'Remove a member',
    refuses: ['conflict'],
    access: 'owner',
    handle: (call) => removeMember(effects.signIn, call, call.params.memberId as string),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/invites',
    operation: 'createInvite',
    summary: 'Invite somebody; this answer alone shows the token',
    refuses: ['conflict'],
    access: 'owner',
    body: createInviteBody,
    answer: invite,
    handle: (call) => createInvite(effects, call, call.body),
  }),
];
