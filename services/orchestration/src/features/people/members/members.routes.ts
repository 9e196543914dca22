import {
  createInviteBody,
  invite,
  listedInvite,
  listInvitesQuery,
  listMembersQuery,
  member,
  updateMemberBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../../route';
import { createInvite } from './create-invite';
import { listInvites } from './invites';
import { listMembers } from './members';
import { removeMember } from './remove-member';
import { revokeInvite } from './revoke-invite';
import { updateMember } from './update-member';

export const memberRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/members',
    operation: 'listMembers',
    summary: 'List the people of a company',
    access: 'board',
    query: listMembersQuery,
    response: z.array(member),
    handle: (call) => listMembers(call, call.query),
  }),
  route({
    method: 'PATCH',
    path: '/api/companies/:companyId/members/:memberId',
    operation: 'updateMember',
    summary: 'Change the role of a member',
    errors: ['recent_sign_in_required', 'conflict'],
    access: 'owner',
    browserOnly: true,
    body: updateMemberBody,
    response: member,
    handle: (call) => updateMember(call, call.params.memberId, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/members/:memberId',
    operation: 'removeMember',
    summary: 'Remove a member',
    errors: ['conflict'],
    access: 'owner',
    browserOnly: true,
    handle: (call) => removeMember(call, call.params.memberId),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/invites',
    operation: 'listInvites',
    summary: 'List the open invites, without their tokens',
    access: 'owner',
    query: listInvitesQuery,
    response: z.array(listedInvite),
    handle: (call) => listInvites(call, call.query),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/invites/:inviteId',
    operation: 'revokeInvite',
    summary: 'Revoke an open invite',
    errors: ['conflict'],
    access: 'owner',
    browserOnly: true,
    allowArchived: true,
    handle: (call) => revokeInvite(call, call.params.inviteId),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/invites',
    operation: 'createInvite',
    summary: 'Invite a person; only this response shows the token',
    errors: ['recent_sign_in_required', 'conflict'],
    access: 'owner',
    browserOnly: true,
    body: createInviteBody,
    response: invite,
    handle: (call) => createInvite(call, call.body),
  }),
];
