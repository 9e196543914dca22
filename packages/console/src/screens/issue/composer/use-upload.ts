import { unwrap } from '@switchyard/client';
import { api } from '../../../data/api';
import { useCompany } from '../../../data/company';
import { useSend } from '../../../data/send';
import { t } from '../../../i18n';
import { showToast } from '../../../ui/toast';
import type { Issue } from '../issue';

export function useUpload(issue: Issue) {
  const { id: companyId } = useCompany();
  const upload = useSend(
    async (files: readonly File[]) => {
      for (const file of files) {
        const form = new FormData();
        form.append('file', file, file.name);
        await unwrap(
          api.POST('/api/companies/{companyId}/issues/{issueId}/attachments', {
            params: { path: { companyId, issueId: issue.id } },
            body: form as never,
            bodySerializer: (body: unknown) => body as FormData,
          }),
        );
      }
    },
    {
      onDone: (_answer, files) => showToast({ text: t('issue.uploaded', { count: files.length }) }),
    },
  );
  return { isPending: upload.isPending, send: (list: FileList) => upload.mutate([...list]) };
}
