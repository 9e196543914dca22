import {
  createInviteBody,
  invite,
  listInvitesQuery,
  listMembersQuery,
  member,
  openInvite,
  updateMemberBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createInvite } from './create-invite';
import { listInvites } from './invites';
import { listMembers } from './members';
import { removeMember } from './remove-member';
import { revokeInvite } from './revoke-invite';
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
    method: 'GET',
    path: '/api/companies/:companyId/invites',
    operation: 'listInvites',
    summary: 'List the invites that can still be accepted, without their tokens',
    access: 'owner',
    query: listInvitesQuery,
    answer: z.array(openInvite),
    handle: (call) => listInvites(call, call.query),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/invites/:inviteId',
    operation: 'revokeInvite',
    summary: 'Revoke an invite that was not accepted',
    refuses: ['conflict'],
    access: 'owner',
    allowArchived: true,
    handle: (call) => revokeInvite(effects.signIn, call, call.params.inviteId as string),
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
