import type { CompanyModel, MembershipModel, PersonModel, SessionModel } from '@switchyard/db';
import type {
  BrowserSessionView,
  MembershipView,
  MemberView,
  Role,
  UserView,
} from '@switchyard/types';

export function presentUser(row: Pick<PersonModel, 'id' | 'email' | 'name'>): UserView {
  return { id: row.id, email: row.email, name: row.name };
}

export function presentMembership(
  row: MembershipModel & { company: Pick<CompanyModel, 'name'> },
): MembershipView {
  return {
    id: row.id,
    companyId: row.companyId,
    companyName: row.company.name,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
  };
}

export function presentMember(
  row: MembershipModel & { user: Pick<PersonModel, 'email' | 'name'> },
): MemberView {
  return {
    id: row.id,
    companyId: row.companyId,
    userId: row.userId,
    email: row.user.email,
    name: row.user.name,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentSession(row: SessionModel, currentId: string): BrowserSessionView {
  return {
    id: row.id,
    current: row.id === currentId,
    userAgent: row.userAgent,
    address: row.address,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
