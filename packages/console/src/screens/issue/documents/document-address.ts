import { useNavigate, useSearch } from '@tanstack/react-router';

/** In the place of a key, which never has a colon: a document that is being written. */
export const NEW_DOCUMENT = ':new';

/** Which document is open stands in the address, so that it can be shared and Back closes it. */
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
