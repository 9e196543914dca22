import {
  company,
  createCompanyBody,
  deleteCompanyBody,
  deletedCompany,
  listCompaniesQuery,
  listedCompany,
  updateCompanyBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { archiveCompany } from './archive-company';
import { getCompany, listCompanies } from './companies';
import { createCompany } from './create-company';
import { createDemoCompany } from './create-demo-company';
import { deleteCompany } from './delete-company';
import { updateCompany } from './update-company';

export const companyRoutes = [
  route({
    method: 'GET',
    path: '/api/companies',
    operation: 'listCompanies',
    summary: 'List the companies that the caller may see',
    access: 'agent-or-board',
    query: listCompaniesQuery,
    response: z.array(listedCompany),
    handle: (call) => listCompanies(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies',
    operation: 'createCompany',
    summary: 'Create a company',
    errors: ['administrators_only'],
    access: 'board',
    browserOnly: true,
    body: createCompanyBody,
    response: company,
    handle: (call) => createCompany(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/demo-companies',
    operation: 'createDemoCompany',
    summary: 'Create a demo company whose two agents start to work',
    errors: ['administrators_only'],
    access: 'board',
    browserOnly: true,
    response: company,
    handle: (call) => createDemoCompany(call),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId',
    operation: 'getCompany',
    summary: 'Read a company',
    access: 'agent-or-board',
    response: company,
    handle: (call) => getCompany(call),
  }),
  route({
    method: 'PATCH',
    path: '/api/companies/:companyId',
    operation: 'updateCompany',
    summary: 'Change a company',
    errors: ['administrators_only', 'company_archived', 'confirmation_required', 'semantic_error'],
    access: 'owner',
    body: updateCompanyBody,
    response: company,
    handle: (call) => updateCompany(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/archive',
    operation: 'archiveCompany',
    summary: 'Archive a company; no run starts any more, and writes are refused',
    access: 'owner',
    status: 200,
    allowArchived: true,
    response: company,
    handle: (call) => archiveCompany(call),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId',
    operation: 'deleteCompany',
    summary: 'Delete an archived company with all its data',
    errors: ['conflict', 'confirmation_required', 'recent_sign_in_required'],
    access: 'owner',
    status: 200,
    browserOnly: true,
    allowArchived: true,
    body: deleteCompanyBody,
    response: deletedCompany,
    handle: (call) => deleteCompany(call, call.body),
  }),
];
