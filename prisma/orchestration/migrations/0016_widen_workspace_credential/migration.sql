-- A credential goes with any address: a token with https, a private key with ssh.
-- contract: the release before holds to https by itself when it writes, and a run of it that meets a key says that it cannot use it
ALTER TABLE "workspace" DROP CONSTRAINT "workspace_credential_check";
-- What stands there was held to more, so nothing is read again.
-- contract: what the release before writes has an https address beside each credential, so an address
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_credential_check" CHECK ("repo_secret_id" IS NULL OR "repo_url" IS NOT NULL) NOT VALID;
