import { z } from 'zod';
import { egressAllowList } from './host-patterns';
import { ROLES } from './people';
import {
  budgetCents,
  cents,
  confirmUnlimited,
  id,
  longText,
  name,
  pageQuery,
  timestamp,
} from './primitives';

export const COMPANY_STATUSES = ['active', 'paused', 'archived'] as const;

const runWeight = z
  .int()
  .min(1)
  .max(100)
  .describe(
    'Share of the starts of runs while several companies wait: a company with weight 2 starts twice as many as one with weight 1. Only an administrator of the installation may change it',
  );

export const company = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(COMPANY_STATUSES),
  issuePrefix: z.string(),
  logoAssetId: id.nullable(),
  logoUrl: z.string().nullable(),
  budgetMonthlyCents: budgetCents,
  spentMonthlyCents: cents,
  egressAllowList: egressAllowList.nullable(),
  runWeight,
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const listedCompany = company.extend({
  role: z
    .enum(ROLES)
    .nullable()
    .describe("The caller's role; `owner` for the board of local trusted mode, null for an agent"),
  runningRuns: z.int().min(0),
});

const writable = {
  name,
  description: longText.nullable(),
  budgetMonthlyCents: budgetCents,
};

export const createCompanyBody = z.strictObject({
  name: writable.name,
  description: writable.description.optional(),
  budgetMonthlyCents: writable.budgetMonthlyCents.optional(),
});

export const updateCompanyBody = z
  .strictObject({
    ...writable,
    status: z.enum(['active', 'paused']),
    logoAssetId: id.nullable(),
    egressAllowList: egressAllowList.nullable(),
    runWeight,
    confirmUnlimited,
  })
  .partial();

export const deleteCompanyBody = z.strictObject({
  name: name.describe("The company's exact name, as a confirmation"),
});

export const deletedCompany = z.object({
  id,
  deletedAt: timestamp,
  runners: z
    .array(z.string())
    .describe("The company's own runners. Their machines keep folders of the company"),
});

export const listCompaniesQuery = z.strictObject({
  ...pageQuery(),
  includeArchived: z.enum(['true', 'false']).default('false'),
});

export type CompanyView = z.infer<typeof company>;
export type ListedCompanyView = z.infer<typeof listedCompany>;
export type CreateCompanyBody = z.infer<typeof createCompanyBody>;
export type UpdateCompanyBody = z.infer<typeof updateCompanyBody>;
export type DeleteCompanyBody = z.infer<typeof deleteCompanyBody>;
export type DeletedCompanyView = z.infer<typeof deletedCompany>;
