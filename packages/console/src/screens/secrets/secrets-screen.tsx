import { Page } from '../../ui/page';

export function SecretsScreen() {
  return <Page title="Secrets">{null}</Page>;
}
