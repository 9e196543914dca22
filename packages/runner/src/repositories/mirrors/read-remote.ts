import { type SshAccess, withSshAccess } from '../access/ssh-access';
import { overNetwork, reading } from '../git/git-access';
import { type GitConfig, type GitSurroundings, runGit } from '../git/run-git';
import { failure } from '../repository-failure';

export interface RemoteRef {
  source: string;
  local: string;
  object: string | null;
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function localName(name: string): string {
  if (name.startsWith('refs/heads/')) return name.replace('refs/heads/', 'refs/remotes/origin/');
  return name.startsWith('refs/tags/') ? name : `refs/switchyard/${name}`;
}

interface Listing {
  head: string | null;
  objects: Map<string, string>;
}

function readListing(text: string): Listing {
  const listing: Listing = { head: null, objects: new Map() };
  for (const line of text.split('\n')) {
    const [left, name] = line.split('\t');
    if (!left || !name) continue;
    if (!left.startsWith('ref: ')) listing.objects.set(name, left);
    else if (name === 'HEAD') listing.head = left.slice('ref: '.length);
  }
  return listing;
}

/** A branch has priority over a tag. If neither exists, treats the name as a commit. */
function chooseRef(ref: string | null, { head, objects }: Listing): RemoteRef | null {
  const known = (name: string, object: string | undefined) =>
    object ? { source: name, local: localName(name), object } : null;
  if (ref === null) return known(head ?? 'HEAD', objects.get('HEAD'));
  const names = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  for (const name of names) {
    const found = known(name, objects.get(name));
    if (found) return found;
  }
  if (!COMMIT.test(ref)) return null;
  return { source: ref, local: `refs/switchyard/commits/${ref}`, object: null };
}

/**
 * Resolves a reference on the remote; without a name, its HEAD.
 * @throws RepositoryFailure `repository_ref_unknown`, and failures of host and credential
 */
export function resolveRemoteRef(
  surroundings: GitSurroundings,
  request: {
    control: string;
    url: string;
    ref: string | null;
    config: GitConfig;
    ssh: SshAccess | null;
  },
): Promise<RemoteRef> {
  const { control, ssh } = request;
  const own = surroundings.access.readOnly as string[];
  const asking = { ...surroundings, access: overNetwork(reading(control, ...own)) };
  return withSshAccess(asking, ssh, (reaching) => readRemote(reaching, control, request));
}

async function readRemote(
  surroundings: GitSurroundings,
  control: string,
  request: { url: string; ref: string | null; config: GitConfig },
): Promise<RemoteRef> {
  const { url, ref, config } = request;
  const patterns = ref === null ? [] : [ref, `refs/heads/${ref}`, `refs/tags/${ref}`];
  const args = ['--git-dir', control, 'ls-remote', '--symref', '--', url, 'HEAD', ...patterns];
  const text = await runGit(
    surroundings,
    'listing the repository’s references',
    control,
    args,
    config,
  );
  const found = chooseRef(ref, readListing(text));
  if (found) return found;
  const named =
    ref === null ? 'the repository is empty' : `the repository has no branch or tag ${ref}`;
  throw failure('repository_ref_unknown', named);
}
