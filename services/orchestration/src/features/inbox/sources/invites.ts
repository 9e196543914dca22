import { itemsOf, remove, type Source } from '../source';

/** Open invites; only owners see them. A hidden invite is shown again when it expires. */
export const invites: Source = {
  kinds: ['invite'],
  items: (p) => [
    itemsOf(
      'invite',
      {
        id: 'v.id',
        since: 'v.created_at',
        happenedAt: 'CASE WHEN v.expires_at > now() THEN v.created_at ELSE v.expires_at END',
        facts: `jsonb_build_object('email', v.email, 'role', v.role, 'isExpired', v.expires_at <= now(),
          'expires', to_char(v.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))`,
      },
      `FROM firm JOIN invite v ON v.company_id = firm.id
      WHERE (SELECT shows_invites FROM asker) AND v.company_id = ${p.companyId} AND v.accepted_at IS NULL`,
    ),
  ],
  present: ({ companyId, id, facts }) => {
    const whom = facts.email ?? `an ${facts.role}`;
    return {
      title: facts.isExpired
        ? `The invite for ${whom} has expired`
        : `The invite for ${whom} is open`,
      reason: `The invite as ${facts.role} is not accepted yet. It ${facts.isExpired ? 'expired' : 'expires'} on ${facts.expires}`,
      actions: [
        remove('revoke', 'Revoke', `/api/companies/${companyId}/invites/${id}`, {
          access: 'owner',
        }),
      ],
    };
  },
};
