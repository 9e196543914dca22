import { useNavigate, useSearch } from '@tanstack/react-router';

export const NEW_DOCUMENT = ':new';

export function useDocumentAddress() {
  const search = useSearch({ from: '/$company' });
  const navigate = useNavigate();
  const open = (document?: string, revision?: number) =>
    void navigate({
      to: '.',
      search: { ...search, document, revision: revision === undefined ? undefined : `${revision}` },
      resetScroll: false,
    });
  return {
    key: search.document,
    revision: search.revision === undefined ? undefined : Number(search.revision),
    open,
    close: () => open(),
  };
}
