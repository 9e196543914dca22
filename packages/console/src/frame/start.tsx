import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { lastCompany } from '../data/company';
import { useRead } from '../data/read';
import { Loading } from '../ui/states';

const FirstRun = lazy(() =>
  import('../screens/first-run/first-run').then(({ FirstRun }) => ({ default: FirstRun })),
);

export function Start() {
  const companies = useRead('/api/companies', {});
  return (
    <Loading of={companies}>
      {(all) => {
        const last = all.find(({ issuePrefix }) => issuePrefix === lastCompany()) ?? all[0];
        if (last) return <Navigate to="/$company" params={{ company: last.issuePrefix }} replace />;
        return (
          <Suspense>
            <FirstRun />
          </Suspense>
        );
      }}
    </Loading>
  );
}
