// Made by `npm run generate-client` from the OpenAPI document; edit nothing here.

export interface paths {
    "/api/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the companies that the caller may see */
        get: operations["listCompanies"];
        put?: never;
        /** Found a company */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a company */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a company */
        patch: operations["updateCompany"];
        trace?: never;
    };
    "/api/companies/{companyId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive a company; nothing starts in it any more and it refuses writes */
        post: operations["archiveCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the goals of a company */
        get: operations["listGoals"];
        put?: never;
        /** Create a goal */
        post: operations["createGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{goalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a goal */
        get: operations["getGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a goal */
        patch: operations["updateGoal"];
        trace?: never;
    };
    "/api/companies/{companyId}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the projects of a company */
        get: operations["listProjects"];
        put?: never;
        /** Create a project, with its first workspace if one is given */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a project with its goals and workspaces */
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a project */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/projects/{projectId}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces of a project */
        get: operations["listWorkspaces"];
        put?: never;
        /** Add a workspace to a project */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a workspace from its project */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Change a workspace */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/api/companies/{companyId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents of a company */
        get: operations["listAgents"];
        put?: never;
        /** Create an agent */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the reporting tree of a company's agents */
        get: operations["getOrg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the agent that calls */
        get: operations["getOwnAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent with its chain of command */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change an agent; an agent may change its own title and capabilities */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/agents/{agentId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause an agent: what waits is cancelled, what runs is stopped */
        post: operations["pauseAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a paused agent work again */
        post: operations["resumeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Terminate an agent for good */
        post: operations["terminateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of an agent, without their values */
        get: operations["listAgentKeys"];
        put?: never;
        /** Create an API key; this answer alone shows its value */
        post: operations["createAgentKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["deleteAgentKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/config-revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the revisions of an agent's configuration */
        get: operations["listConfigRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/config-revisions/{revisionId}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put an agent's configuration back to what it was before a revision */
        post: operations["rollbackAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/adapters/{adapterType}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that an adapter offers */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look whether an agent could run: its program, model, working directory, address */
        post: operations["checkAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the approvals of a company */
        get: operations["listApprovals"];
        put?: never;
        /** Ask the board for an approval */
        post: operations["createApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/agent-hires": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Propose to hire an agent; it waits for the board's approval */
        post: operations["createHire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an approval */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve; a hired agent becomes idle and the agent that asked is woken */
        post: operations["approveApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject; a hired agent is terminated and the agent that asked is woken */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/request-revision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an approval back to be revised; the agent that asked is woken */
        post: operations["requestApprovalRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/resubmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hand in a revised approval again */
        post: operations["resubmitApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the issues that an approval is about */
        get: operations["listApprovalIssues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{approvalId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on an approval */
        get: operations["listApprovalComments"];
        put?: never;
        /** Comment on an approval */
        post: operations["createApprovalComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the issues of a company, the most urgent first */
        get: operations["listIssues"];
        put?: never;
        /** Create an issue */
        post: operations["createIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an issue with its project, goal, ancestors and documents */
        get: operations["getIssue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change an issue, and comment on the change */
        patch: operations["updateIssue"];
        trace?: never;
    };
    "/api/issues/{issueId}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim an issue: of all who try, one gets it */
        post: operations["checkoutIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a claimed issue back */
        post: operations["releaseIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on an issue */
        get: operations["listComments"];
        put?: never;
        /** Comment on an issue; mentioned agents are woken */
        post: operations["createComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the documents of an issue */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/documents/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a document */
        get: operations["getDocument"];
        /** Write a document: a new one, or the next revision of the one that the body names */
        put: operations["putDocument"];
        post?: never;
        /** Delete a document with its revisions */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/documents/{key}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the revisions of a document */
        get: operations["listDocumentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload the logo of a company */
        post: operations["uploadLogo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/issues/{issueId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach a file to an issue */
        post: operations["uploadAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/issues/{issueId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attachments of an issue */
        get: operations["listAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{attachmentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an attachment */
        get: operations["getAttachmentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assets/{assetId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an asset, such as a logo */
        get: operations["getAssetContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an attachment */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/heartbeat/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Wake an agent; answers the run that will serve it, also when that one waits already */
        post: operations["invokeHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/heartbeat-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a company's agents */
        get: operations["listHeartbeatRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a run */
        get: operations["getHeartbeatRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat-runs/{runId}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a part of a run's log */
        get: operations["readHeartbeatRunLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat-runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a run that waits, or stop one that runs */
        post: operations["cancelHeartbeatRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat-runs/{runId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what a run that has ended was to do */
        post: operations["retryHeartbeatRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what in a company */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the activity of a company as server-sent events */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the numbers of a company's dashboard */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/cost-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report what was spent; an agent for itself only */
        post: operations["createCostEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/costs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this month's spend and budget of a company */
        get: operations["getCostSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/costs/by-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List this month's spend by agent */
        get: operations["listCostsByAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/costs/by-project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List this month's spend by project */
        get: operations["listCostsByProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the secrets of a company, without their values */
        get: operations["listSecrets"];
        put?: never;
        /** Store a secret */
        post: operations["createSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a secret; a value makes a new version */
        patch: operations["updateSecret"];
        trace?: never;
    };
    "/api/companies/{companyId}/routines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the routines of a company */
        get: operations["listRoutines"];
        put?: never;
        /** Create a routine */
        post: operations["createRoutine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routines/{routineId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a routine with its triggers */
        get: operations["getRoutine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change, pause or archive a routine */
        patch: operations["updateRoutine"];
        trace?: never;
    };
    "/api/routines/{routineId}/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a trigger to a routine; this answer alone shows a webhook's secret */
        post: operations["createTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routines/{routineId}/triggers/{triggerId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List when a schedule will fire next */
        get: operations["previewTrigger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routine-triggers/{triggerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a trigger */
        delete: operations["deleteTrigger"];
        options?: never;
        head?: never;
        /** Change a trigger */
        patch: operations["updateTrigger"];
        trace?: never;
    };
    "/api/routine-triggers/{triggerId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook a new secret; the old one ends at once */
        post: operations["rotateTriggerSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routines/{routineId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a routine now */
        post: operations["runRoutine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routine-triggers/public/{publicId}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fire a webhook; signed as its trigger says */
        post: operations["fireTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routines/{routineId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the firings of a routine */
        get: operations["listRoutineRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/routines/{routineId}/runs/{routineRunId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a firing of a routine */
        get: operations["getRoutineRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the first account, with the bootstrap token */
        post: operations["bootstrap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is signed in, and of which companies */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your own password; ends your other sessions */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List where you are signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End your sessions in all other browsers */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invites/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invite, with an account that exists or a new one */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the people of a company */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/members/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Give a member another role */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/companies/{companyId}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the invites that can still be accepted, without their tokens */
        get: operations["listInvites"];
        put?: never;
        /** Invite somebody; this answer alone shows the token */
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/{companyId}/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invite that was not accepted */
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this document */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show this document as a page */
        get: operations["getDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-guide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how an agent uses this interface, as Markdown */
        get: operations["getAgentGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the parts are that the service needs */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers; it asks nobody */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process takes work: database and schema version */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInviteBody: {
            email?: string;
            password?: string;
            name?: string;
        };
        Activity: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** @enum {string} */
            actorType: "agent" | "user" | "system" | "webhook";
            actorId: string | null;
            runId: string | null;
            action: string;
            entityType: string;
            entityId: string;
            details: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
        };
        AdapterModel: {
            id: string;
            label: string;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            name: string;
            role: string;
            title: string | null;
            reportsTo: string | null;
            capabilities: string | null;
            /** @enum {string} */
            status: "idle" | "running" | "paused" | "error" | "pending_approval" | "terminated";
            pauseReason: ("manual" | "budget" | "failures") | null;
            pausedAt: string | null;
            budgetMonthlyCents: number;
            spentMonthlyCents: number;
            adapterType: string;
            adapterConfig: {
                [key: string]: unknown;
            };
            maxConcurrentRuns: number;
            wakeOnAssignment: boolean;
            lastHeartbeatAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AgentCost: {
            /** Format: uuid */
            agentId: string;
            agentName: string;
            costCents: number;
            inputTokens: number;
            outputTokens: number;
            budgetMonthlyCents: number;
            utilizationPercent: number;
            unpricedEvents: number;
        };
        AgentDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            name: string;
            role: string;
            title: string | null;
            reportsTo: string | null;
            capabilities: string | null;
            /** @enum {string} */
            status: "idle" | "running" | "paused" | "error" | "pending_approval" | "terminated";
            pauseReason: ("manual" | "budget" | "failures") | null;
            pausedAt: string | null;
            budgetMonthlyCents: number;
            spentMonthlyCents: number;
            adapterType: string;
            adapterConfig: {
                [key: string]: unknown;
            };
            maxConcurrentRuns: number;
            wakeOnAssignment: boolean;
            lastHeartbeatAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            chainOfCommand: {
                /** Format: uuid */
                id: string;
                name: string;
                role: string;
            }[];
        };
        AgentKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ApprovalComment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            approvalId: string;
            body: string;
            authorAgentId: string | null;
            authorUserId: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        Approval: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** @enum {string} */
            type: "approve_ceo_strategy" | "hire_agent";
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "revision_requested" | "resubmitted";
            payload: {
                [key: string]: unknown;
            };
            requestedByAgentId: string | null;
            requestedByUserId: string | null;
            decidedByUserId: string | null;
            decisionNote: string | null;
            decidedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ApprovalSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** @enum {string} */
            type: "approve_ceo_strategy" | "hire_agent";
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "revision_requested" | "resubmitted";
            requestedByAgentId: string | null;
            requestedByUserId: string | null;
            decidedByUserId: string | null;
            decisionNote: string | null;
            decidedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Attachment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            issueId: string;
            /** Format: uuid */
            assetId: string;
            contentType: string;
            byteSize: number;
            sha256: string;
            originalFilename: string;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            createdByRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            contentPath: string;
        };
        BootstrapBody: {
            token: string;
            email: string;
            password: string;
            name: string;
        };
        BrowserSession: {
            /** Format: uuid */
            id: string;
            current: boolean;
            userAgent: string | null;
            address: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ChangePasswordBody: {
            currentPassword: string;
            newPassword: string;
        };
        CheckAgentBody: Record<string, never>;
        CheckoutIssueBody: {
            /** Format: uuid */
            agentId: string;
            expectedStatuses: ("backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled")[];
        };
        Comment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            issueId: string;
            body: string;
            authorAgentId: string | null;
            authorUserId: string | null;
            createdByRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            mentions: components["schemas"]["MentionOutcome"][];
        };
        Company: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            status: "active" | "paused" | "archived";
            issuePrefix: string;
            logoAssetId: string | null;
            logoUrl: string | null;
            budgetMonthlyCents: number;
            spentMonthlyCents: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ConfigRevision: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agentId: string;
            revisionNumber: number;
            changedKeys: ("name" | "role" | "title" | "capabilities" | "reportsTo" | "adapterType" | "adapterConfig" | "budgetMonthlyCents" | "maxConcurrentRuns" | "wakeOnAssignment")[];
            before: {
                name: string;
                role: string;
                title: string | null;
                capabilities: string | null;
                reportsTo: string | null;
                adapterType: string;
                adapterConfig: {
                    [key: string]: unknown;
                };
                budgetMonthlyCents: number;
                maxConcurrentRuns: number;
                wakeOnAssignment: boolean;
            } | null;
            after: {
                name: string;
                role: string;
                title: string | null;
                capabilities: string | null;
                reportsTo: string | null;
                adapterType: string;
                adapterConfig: {
                    [key: string]: unknown;
                };
                budgetMonthlyCents: number;
                maxConcurrentRuns: number;
                wakeOnAssignment: boolean;
            };
            /** @enum {string} */
            source: "create" | "patch" | "rollback";
            rolledBackFromRevisionId: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        CostEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            agentId: string;
            issueId: string | null;
            projectId: string | null;
            goalId: string | null;
            runId: string | null;
            provider: string;
            model: string;
            inputTokens: number;
            outputTokens: number;
            costCents: number;
            unpriced: boolean;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            createdAt: string;
        };
        CostSummary: {
            /** Format: uuid */
            companyId: string;
            month: string;
            spendCents: number;
            budgetCents: number;
            utilizationPercent: number;
            /** @enum {string} */
            alert: "none" | "soft" | "hard";
            unpricedEvents: number;
        };
        CreateAgentBody: {
            name: string;
            /** @default engineer */
            role?: string;
            title?: string | null;
            capabilities?: string | null;
            reportsTo?: string | null;
            adapterType: string;
            adapterConfig?: {
                [key: string]: unknown;
            };
            budgetMonthlyCents?: number;
            maxConcurrentRuns?: number;
            wakeOnAssignment?: boolean;
        };
        CreateAgentKeyBody: {
            /** @default default */
            name?: string;
        };
        CreateApprovalBody: {
            /** @enum {string} */
            type: "approve_ceo_strategy" | "hire_agent";
            /** Format: uuid */
            requestedByAgentId?: string;
            payload?: {
                [key: string]: unknown;
            };
            issueIds?: string[];
        };
        CreateApprovalCommentBody: {
            body: string;
        };
        CreateCommentBody: {
            body: string;
        };
        CreateCompanyBody: {
            name: string;
            description?: string | null;
            budgetMonthlyCents?: number;
        };
        CreateCostEventBody: {
            /** Format: uuid */
            agentId: string;
            provider: string;
            model: string;
            inputTokens: number;
            outputTokens: number;
            costCents: number;
            /** Format: uuid */
            issueId?: string;
            /** Format: uuid */
            projectId?: string;
            /** Format: uuid */
            runId?: string;
            /** Format: date-time */
            occurredAt?: string;
            idempotencyKey?: string;
        };
        CreateGoalBody: {
            title: string;
            description?: string | null;
            /** @enum {string} */
            level?: "company" | "team" | "agent" | "task";
            /** @enum {string} */
            status?: "planned" | "active" | "achieved" | "cancelled";
            parentId?: string | null;
            ownerAgentId?: string | null;
        };
        CreateHireBody: {
            name: string;
            /** @default engineer */
            role?: string;
            title?: string | null;
            capabilities?: string | null;
            reportsTo?: string | null;
            adapterType?: string;
            adapterConfig?: {
                [key: string]: unknown;
            };
            budgetMonthlyCents?: number;
            maxConcurrentRuns?: number;
            wakeOnAssignment?: boolean;
            issueIds?: string[];
        };
        CreateInviteBody: {
            email?: string | null;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
        };
        CreateIssueBody: {
            title: string;
            description?: string | null;
            /** @enum {string} */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority?: "critical" | "high" | "medium" | "low";
            assigneeAgentId?: string | null;
            parentId?: string | null;
            projectId?: string | null;
            goalId?: string | null;
            billingCode?: string | null;
        };
        CreateProjectBody: {
            name: string;
            description?: string | null;
            goalIds?: string[];
            /** @enum {string} */
            status?: "backlog" | "planned" | "in_progress" | "completed" | "cancelled";
            leadAgentId?: string | null;
            targetDate?: string | null;
            workspace?: components["schemas"]["CreateWorkspaceBody"];
        };
        CreateRoutineBody: {
            title: string;
            description?: string | null;
            /** Format: uuid */
            assigneeAgentId: string;
            /** Format: uuid */
            projectId: string;
            goalId?: string | null;
            parentIssueId?: string | null;
            /** @enum {string} */
            priority?: "critical" | "high" | "medium" | "low";
            /** @enum {string} */
            status?: "active" | "paused" | "archived";
            /** @enum {string} */
            concurrencyPolicy?: "coalesce_if_active" | "skip_if_active" | "always_enqueue";
            /** @enum {string} */
            catchUpPolicy?: "skip_missed" | "enqueue_missed_with_cap";
        };
        CreateSecretBody: {
            name: string;
            value: string;
            description?: string | null;
        };
        CreateTriggerBody: {
            label?: string | null;
            enabled?: boolean;
            /** @constant */
            kind: "schedule";
            cronExpression: string;
            timezone?: string;
        } | {
            label?: string | null;
            enabled?: boolean;
            /** @constant */
            kind: "webhook";
            /**
             * @description bearer (the default) sends the secret itself and cannot tell a request from its repetition; choose hmac_sha256, which does both better, wherever the sender can sign
             * @enum {string}
             */
            signingMode?: "bearer" | "hmac_sha256" | "github" | "stripe" | "slack";
            replayWindowSec?: number;
            secret?: string;
        } | {
            label?: string | null;
            enabled?: boolean;
            /** @constant */
            kind: "api";
        };
        CreateWorkspaceBody: {
            name?: string;
            cwd?: string | null;
            repoUrl?: string | null;
            repoRef?: string | null;
            repoCredential?: {
                /** @constant */
                type: "secret_ref";
                /** Format: uuid */
                secretId: string;
                /** @default latest */
                version?: "latest" | number;
            } | null;
            isPrimary?: boolean;
        };
        CreatedAgentKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            createdAt: string;
            key: string;
        };
        CreatedTrigger: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "schedule";
            cronExpression: string;
            timezone: string;
        } | {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "webhook";
            publicId: string;
            /** @enum {string} */
            signingMode: "bearer" | "hmac_sha256" | "github" | "stripe" | "slack";
            replayWindowSec: number;
            secret: string;
            fireUrl: string;
        } | {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "api";
        };
        Dashboard: {
            /** Format: uuid */
            companyId: string;
            /** Format: date-time */
            generatedAt: string;
            agents: {
                total: number;
                byStatus: {
                    [key: string]: number;
                };
            };
            issues: {
                total: number;
                open: number;
                stale: number;
                byStatus: {
                    [key: string]: number;
                };
            };
            pendingApprovals: number;
            spend: {
                month: string;
                spendCents: number;
                budgetCents: number;
                utilizationPercent: number;
                /** @enum {string} */
                alert: "none" | "soft" | "hard";
            };
            storage: {
                usedBytes: number;
                limitBytes: number;
            };
            runs: {
                running: number;
                queued: number;
                days: {
                    /** Format: date */
                    date: string;
                    total: number;
                    byStatus: {
                        [key: string]: number;
                    };
                }[];
            };
        };
        DecisionBody: {
            decisionNote?: string | null;
        };
        Document: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            issueId: string;
            key: string;
            title: string;
            format: string;
            /** Format: uuid */
            latestRevisionId: string;
            latestRevisionNumber: number;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            updatedByAgentId: string | null;
            updatedByUserId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            body: string;
        };
        DocumentRevision: {
            /** Format: uuid */
            id: string;
            revisionNumber: number;
            title: string;
            format: string;
            body: string;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            createdByRunId: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        DocumentSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            issueId: string;
            key: string;
            title: string;
            format: string;
            /** Format: uuid */
            latestRevisionId: string;
            latestRevisionNumber: number;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            updatedByAgentId: string | null;
            updatedByUserId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Finding: {
            /** @enum {string} */
            level: "ok" | "warning" | "error";
            code: string;
            message: string;
            details?: {
                [key: string]: unknown;
            };
        };
        FiringPreview: {
            timezone: string;
            times: components["schemas"]["FiringTime"][];
        };
        FiringTime: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            local: string;
        };
        Goal: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            title: string;
            /** @enum {string} */
            level: "company" | "team" | "agent" | "task";
            /** @enum {string} */
            status: "planned" | "active" | "achieved" | "cancelled";
            parentId: string | null;
            ownerAgentId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
        };
        GoalSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            title: string;
            /** @enum {string} */
            level: "company" | "team" | "agent" | "task";
            /** @enum {string} */
            status: "planned" | "active" | "achieved" | "cancelled";
            parentId: string | null;
            ownerAgentId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        HeartbeatRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            agentId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "cancelled";
            /** @enum {string} */
            source: "manual" | "mention" | "routine" | "approval" | "assignment" | "retry";
            wakeReasons: components["schemas"]["WakeReason"][];
            issueId: string | null;
            routineRunId: string | null;
            retryOfRunId: string | null;
            attempt: number;
            startedAt: string | null;
            finishedAt: string | null;
            exitCode: number | null;
            errorCode: string | null;
            error: string | null;
            usage: {
                inputTokens: number;
                outputTokens: number;
                costCents: number;
                unpricedEvents: number;
            };
            logBytes: number;
            /** Format: date-time */
            createdAt: string;
        };
        Hire: {
            agent: components["schemas"]["AgentDetail"];
            approval: components["schemas"]["Approval"];
        };
        Invite: {
            /** Format: uuid */
            id: string;
            token: string;
            url: string;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
            /** Format: date-time */
            expiresAt: string;
        };
        InvokeHeartbeatBody: {
            reason?: string;
            /** Format: uuid */
            issueId?: string;
            payload?: {
                [key: string]: unknown;
            };
        };
        Issue: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            identifier: string;
            issueNumber: number;
            title: string;
            /** @enum {string} */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            assigneeAgentId: string | null;
            parentId: string | null;
            projectId: string | null;
            goalId: string | null;
            billingCode: string | null;
            checkoutRunId: string | null;
            checkedOutAt: string | null;
            started_at: string | null;
            completed_at: string | null;
            cancelledAt: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            originRoutineRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
        };
        IssueAncestor: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            identifier: string;
            issueNumber: number;
            title: string;
            /** @enum {string} */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            assigneeAgentId: string | null;
            parentId: string | null;
            projectId: string | null;
            goalId: string | null;
            billingCode: string | null;
            checkoutRunId: string | null;
            checkedOutAt: string | null;
            started_at: string | null;
            completed_at: string | null;
            cancelledAt: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            originRoutineRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            project: components["schemas"]["ProjectSummary"] | null;
            goal: components["schemas"]["GoalSummary"] | null;
        };
        IssueDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            identifier: string;
            issueNumber: number;
            title: string;
            /** @enum {string} */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            assigneeAgentId: string | null;
            parentId: string | null;
            projectId: string | null;
            goalId: string | null;
            billingCode: string | null;
            checkoutRunId: string | null;
            checkedOutAt: string | null;
            started_at: string | null;
            completed_at: string | null;
            cancelledAt: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            originRoutineRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
            project: components["schemas"]["ProjectDetail"] | null;
            goal: components["schemas"]["Goal"] | null;
            ancestors: components["schemas"]["IssueAncestor"][];
            planDocument: components["schemas"]["Document"] | null;
            documentSummaries: components["schemas"]["DocumentSummary"][];
            legacyPlanDocument: {
                /** @constant */
                key: "plan";
                /** @constant */
                format: "markdown";
                body: string;
                /** @constant */
                source: "issue_description";
            } | null;
        };
        IssueSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            identifier: string;
            issueNumber: number;
            title: string;
            /** @enum {string} */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            assigneeAgentId: string | null;
            parentId: string | null;
            projectId: string | null;
            goalId: string | null;
            billingCode: string | null;
            checkoutRunId: string | null;
            checkedOutAt: string | null;
            started_at: string | null;
            completed_at: string | null;
            cancelledAt: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            originRoutineRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Joined: {
            user: components["schemas"]["User"];
            membership: components["schemas"]["Membership"];
        };
        LoginBody: {
            email: string;
            password: string;
        };
        Member: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            userId: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Membership: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            companyName: string;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
            /** Format: date-time */
            createdAt: string;
        };
        MentionOutcome: {
            agentId: string | null;
            name: string;
            /** @enum {string} */
            outcome: "woken" | "coalesced" | "skipped";
            reason: string | null;
        };
        OpenInvite: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            email: string | null;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
            createdByUserId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        OrgNode: {
            /** Format: uuid */
            id: string;
            name: string;
            role: string;
            title: string | null;
            /** @enum {string} */
            status: "idle" | "running" | "paused" | "error" | "pending_approval" | "terminated";
            reports: components["schemas"]["OrgNode"][];
        };
        ProjectCost: {
            projectId: string | null;
            projectName: string | null;
            costCents: number;
            inputTokens: number;
            outputTokens: number;
        };
        ProjectDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            name: string;
            goalIds: string[];
            /** @enum {string} */
            status: "backlog" | "planned" | "in_progress" | "completed" | "cancelled";
            leadAgentId: string | null;
            targetDate: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
            workspaces: components["schemas"]["Workspace"][];
        };
        ProjectSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            name: string;
            goalIds: string[];
            /** @enum {string} */
            status: "backlog" | "planned" | "in_progress" | "completed" | "cancelled";
            leadAgentId: string | null;
            targetDate: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PutDocumentBody: {
            title?: string;
            format?: string;
            body: string;
            baseRevisionId?: string | null;
        };
        ResubmitBody: {
            payload?: {
                [key: string]: unknown;
            };
        };
        RotatedTrigger: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "webhook";
            publicId: string;
            /** @enum {string} */
            signingMode: "bearer" | "hmac_sha256" | "github" | "stripe" | "slack";
            replayWindowSec: number;
            secret: string;
            fireUrl: string;
        };
        Routine: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            title: string;
            /** Format: uuid */
            assigneeAgentId: string;
            /** Format: uuid */
            projectId: string;
            goalId: string | null;
            parentIssueId: string | null;
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            /** @enum {string} */
            status: "active" | "paused" | "archived";
            /** @enum {string} */
            concurrencyPolicy: "coalesce_if_active" | "skip_if_active" | "always_enqueue";
            /** @enum {string} */
            catchUpPolicy: "skip_missed" | "enqueue_missed_with_cap";
            createdByAgentId: string | null;
            createdByUserId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
            triggers: components["schemas"]["RoutineTrigger"][];
        };
        RoutineRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            routineId: string;
            triggerId: string | null;
            /** @enum {string} */
            source: "schedule" | "webhook" | "api" | "manual";
            /** @enum {string} */
            status: "pending" | "issue_created" | "completed" | "failed" | "cancelled" | "coalesced" | "skipped";
            scheduledFor: string | null;
            /** Format: date-time */
            triggeredAt: string;
            /** @description The JSON object that came with the firing; other content of a webhook is `{ contentType, encoding, body }`. A list, and the answer to a firing, show one of more than 8 KiB as `{ omitted, byteSize }`; the run itself shows it whole. */
            payload: {
                [key: string]: unknown;
            } | null;
            idempotencyKey: string | null;
            linkedIssueId: string | null;
            activeRunId: string | null;
            heartbeatRunId: string | null;
            failureReason: string | null;
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        RoutineSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            title: string;
            /** Format: uuid */
            assigneeAgentId: string;
            /** Format: uuid */
            projectId: string;
            goalId: string | null;
            parentIssueId: string | null;
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            /** @enum {string} */
            status: "active" | "paused" | "archived";
            /** @enum {string} */
            concurrencyPolicy: "coalesce_if_active" | "skip_if_active" | "always_enqueue";
            /** @enum {string} */
            catchUpPolicy: "skip_missed" | "enqueue_missed_with_cap";
            createdByAgentId: string | null;
            createdByUserId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RoutineTrigger: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "schedule";
            cronExpression: string;
            timezone: string;
        } | {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "webhook";
            publicId: string;
            /** @enum {string} */
            signingMode: "bearer" | "hmac_sha256" | "github" | "stripe" | "slack";
            replayWindowSec: number;
        } | {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            routineId: string;
            label: string | null;
            enabled: boolean;
            nextRunAt: string | null;
            lastFiredAt: string | null;
            failureCount: number;
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            kind: "api";
        };
        RunLog: {
            /** Format: uuid */
            runId: string;
            offset: number;
            nextOffset: number;
            content: string;
            eof: boolean;
        };
        RunRoutineBody: {
            /** @enum {string} */
            source?: "manual" | "api";
            triggerId?: string | null;
            payload?: {
                [key: string]: unknown;
            } | null;
            idempotencyKey?: string | null;
        };
        Secret: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            name: string;
            description: string | null;
            latestVersion: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Session: {
            user: {
                id: string;
                email: string | null;
                name: string;
                isAdministrator: boolean;
            };
            memberships: components["schemas"]["Membership"][];
        };
        SignedIn: {
            user: components["schemas"]["User"];
        };
        UpdateAgentBody: {
            name?: string;
            role?: string;
            title?: string | null;
            capabilities?: string | null;
            reportsTo?: string | null;
            adapterType?: string;
            adapterConfig?: {
                [key: string]: unknown;
            };
            budgetMonthlyCents?: number;
            maxConcurrentRuns?: number;
            wakeOnAssignment?: boolean;
        };
        UpdateCompanyBody: {
            name?: string;
            description?: string | null;
            budgetMonthlyCents?: number;
            /** @enum {string} */
            status?: "active" | "paused";
            logoAssetId?: string | null;
        };
        UpdateGoalBody: {
            title?: string;
            description?: string | null;
            /** @enum {string} */
            level?: "company" | "team" | "agent" | "task";
            /** @enum {string} */
            status?: "planned" | "active" | "achieved" | "cancelled";
            parentId?: string | null;
            ownerAgentId?: string | null;
        };
        UpdateIssueBody: {
            title?: string;
            description?: string | null;
            /** @enum {string} */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority?: "critical" | "high" | "medium" | "low";
            assigneeAgentId?: string | null;
            parentId?: string | null;
            projectId?: string | null;
            goalId?: string | null;
            billingCode?: string | null;
            comment?: string;
        };
        UpdateMemberBody: {
            /** @enum {string} */
            role: "owner" | "operator" | "viewer";
        };
        UpdateProjectBody: {
            name?: string;
            description?: string | null;
            goalIds?: string[];
            /** @enum {string} */
            status?: "backlog" | "planned" | "in_progress" | "completed" | "cancelled";
            leadAgentId?: string | null;
            targetDate?: string | null;
        };
        UpdateRoutineBody: {
            title?: string;
            description?: string | null;
            /** Format: uuid */
            assigneeAgentId?: string;
            /** Format: uuid */
            projectId?: string;
            goalId?: string | null;
            parentIssueId?: string | null;
            /** @enum {string} */
            priority?: "critical" | "high" | "medium" | "low";
            /** @enum {string} */
            status?: "active" | "paused" | "archived";
            /** @enum {string} */
            concurrencyPolicy?: "coalesce_if_active" | "skip_if_active" | "always_enqueue";
            /** @enum {string} */
            catchUpPolicy?: "skip_missed" | "enqueue_missed_with_cap";
        };
        UpdateSecretBody: {
            name?: string;
            value?: string;
            description?: string | null;
        };
        UpdateTriggerBody: {
            label?: string | null;
            enabled?: boolean;
            cronExpression?: string;
            timezone?: string;
            /**
             * @description bearer (the default) sends the secret itself and cannot tell a request from its repetition; choose hmac_sha256, which does both better, wherever the sender can sign
             * @enum {string}
             */
            signingMode?: "bearer" | "hmac_sha256" | "github" | "stripe" | "slack";
            replayWindowSec?: number;
            secret?: string;
        };
        UpdateWorkspaceBody: {
            name?: string;
            cwd?: string | null;
            repoUrl?: string | null;
            repoRef?: string | null;
            repoCredential?: {
                /** @constant */
                type: "secret_ref";
                /** Format: uuid */
                secretId: string;
                /** @default latest */
                version?: "latest" | number;
            } | null;
            isPrimary?: boolean;
        };
        UpdatedIssue: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            identifier: string;
            issueNumber: number;
            title: string;
            /** @enum {string} */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
            /** @enum {string} */
            priority: "critical" | "high" | "medium" | "low";
            assigneeAgentId: string | null;
            parentId: string | null;
            projectId: string | null;
            goalId: string | null;
            billingCode: string | null;
            checkoutRunId: string | null;
            checkedOutAt: string | null;
            started_at: string | null;
            completed_at: string | null;
            cancelledAt: string | null;
            createdByAgentId: string | null;
            createdByUserId: string | null;
            originRoutineRunId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string | null;
            comment?: components["schemas"]["Comment"];
        };
        UploadedLogo: {
            /** Format: uuid */
            assetId: string;
            /** @enum {string} */
            contentType: "image/png" | "image/jpeg" | "image/webp" | "image/gif" | "image/svg+xml";
            byteSize: number;
            contentPath: string;
        };
        UrlChallenge: {
            challenge: string;
        };
        User: {
            id: string;
            email: string | null;
            name: string;
        };
        WakeReason: {
            /** @enum {string} */
            source: "manual" | "mention" | "routine" | "approval" | "assignment" | "retry";
            reason: string | null;
            issueId: string | null;
            commentId: string | null;
            payload: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
        };
        Workspace: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            companyId: string;
            /** Format: uuid */
            projectId: string;
            name: string;
            cwd: string | null;
            repoUrl: string | null;
            repoRef: string | null;
            repoCredential: {
                /** @constant */
                type: "secret_ref";
                /** Format: uuid */
                secretId: string;
                /** @default latest */
                version: "latest" | number;
            } | null;
            isPrimary: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
    };
    responses: {
        /** @description validation_error */
        "400.validation_error": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "validation_error";
                    details?: {
                        path: (string | number)[];
                        message: string;
                        code: string;
                    }[];
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unauthenticated, token_expired */
        "401.unauthenticated.token_expired": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unauthenticated" | "token_expired";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden */
        "403.forbidden": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description rate_limited */
        "429.rate_limited": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                /** @description Seconds */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "rate_limited";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description internal_error */
        "500.internal_error": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "internal_error";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unavailable */
        "503.unavailable": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                /** @description Seconds */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unavailable";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, board_only, administrators_only */
        "403.forbidden.board_only.administrators_only": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "board_only" | "administrators_only";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description idempotency_conflict */
        "409.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description too_large */
        "413.too_large": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "too_large";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unsupported_media_type */
        "415.unsupported_media_type": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unsupported_media_type";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, cross_company */
        "403.forbidden.cross_company": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "cross_company";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description not_found */
        "404.not_found": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "not_found";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, cross_company, board_only */
        "403.forbidden.cross_company.board_only": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "cross_company" | "board_only";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived */
        "409.company_archived": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description semantic_error, unknown_reference */
        "422.semantic_error.unknown_reference": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "semantic_error" | "unknown_reference";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived, agent_paused, idempotency_conflict */
        "409.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description semantic_error, unknown_reference, cycle */
        "422.semantic_error.unknown_reference.cycle": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "semantic_error" | "unknown_reference" | "cycle";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived, agent_paused */
        "409.company_archived.agent_paused": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived" | "agent_paused";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unknown_reference */
        "422.unknown_reference": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unknown_reference";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description name_taken, company_archived, idempotency_conflict */
        "409.name_taken.company_archived.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "name_taken" | "company_archived" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, cross_company, board_only, not_own */
        "403.forbidden.cross_company.board_only.not_own": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "cross_company" | "board_only" | "not_own";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description name_taken, company_archived, agent_paused, agent_terminated */
        "409.name_taken.company_archived.agent_paused.agent_terminated": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "name_taken" | "company_archived" | "agent_paused" | "agent_terminated";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict, company_archived, agent_terminated, idempotency_conflict */
        "409.conflict.company_archived.agent_terminated.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict" | "company_archived" | "agent_terminated" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived, idempotency_conflict */
        "409.company_archived.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description name_taken, company_archived, agent_terminated, idempotency_conflict */
        "409.name_taken.company_archived.agent_terminated.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "name_taken" | "company_archived" | "agent_terminated" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, cross_company, not_own */
        "403.forbidden.cross_company.not_own": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "cross_company" | "not_own";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description name_taken, company_archived, agent_paused, idempotency_conflict */
        "409.name_taken.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "name_taken" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description not_pending, company_archived, idempotency_conflict */
        "409.not_pending.company_archived.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "not_pending" | "company_archived" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict, name_taken, company_archived, agent_paused, idempotency_conflict */
        "409.conflict.name_taken.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict" | "name_taken" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description semantic_error, invalid_transition, unknown_reference */
        "422.semantic_error.invalid_transition.unknown_reference": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "semantic_error" | "invalid_transition" | "unknown_reference";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description checked_out, checkout_required, company_archived, agent_paused */
        "409.checked_out.checkout_required.company_archived.agent_paused": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "checked_out" | "checkout_required" | "company_archived" | "agent_paused";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description semantic_error, invalid_transition, unknown_reference, cycle */
        "422.semantic_error.invalid_transition.unknown_reference.cycle": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "semantic_error" | "invalid_transition" | "unknown_reference" | "cycle";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description checked_out, status_mismatch, not_invokable, company_archived, agent_paused, idempotency_conflict */
        "409.checked_out.status_mismatch.not_invokable.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "checked_out" | "status_mismatch" | "not_invokable" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description not_owner, company_archived, agent_paused, idempotency_conflict */
        "409.not_owner.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "not_owner" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description stale_revision, company_archived, agent_paused */
        "409.stale_revision.company_archived.agent_paused": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "stale_revision" | "company_archived" | "agent_paused";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived, storage_full, idempotency_conflict */
        "409.company_archived.storage_full.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived" | "storage_full" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description company_archived, agent_paused, storage_full, idempotency_conflict */
        "409.company_archived.agent_paused.storage_full.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "company_archived" | "agent_paused" | "storage_full" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description range_not_satisfiable */
        "416.range_not_satisfiable": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "range_not_satisfiable";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description not_invokable, company_archived, agent_paused, idempotency_conflict */
        "409.not_invokable.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "not_invokable" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict, company_archived, idempotency_conflict */
        "409.conflict.company_archived.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict" | "company_archived" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description not_invokable, not_retryable, company_archived, idempotency_conflict */
        "409.not_invokable.not_retryable.company_archived.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "not_invokable" | "not_retryable" | "company_archived" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description name_taken, company_archived */
        "409.name_taken.company_archived": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "name_taken" | "company_archived";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description routine_archived, company_archived, agent_paused */
        "409.routine_archived.company_archived.agent_paused": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "routine_archived" | "company_archived" | "agent_paused";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict, routine_archived, company_archived, agent_paused, idempotency_conflict */
        "409.conflict.routine_archived.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict" | "routine_archived" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description semantic_error */
        "422.semantic_error": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "semantic_error";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description routine_archived, company_archived, agent_paused, idempotency_conflict */
        "409.routine_archived.company_archived.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "routine_archived" | "company_archived" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description routine_archived, trigger_disabled, company_archived, company_paused, agent_paused, idempotency_conflict */
        "409.routine_archived.trigger_disabled.company_archived.company_paused.agent_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "routine_archived" | "trigger_disabled" | "company_archived" | "company_paused" | "agent_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unauthenticated, invalid_signature */
        "401.unauthenticated.invalid_signature": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unauthenticated" | "invalid_signature";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description routine_paused, routine_archived, trigger_disabled, replayed, company_archived, company_paused, idempotency_conflict */
        "409.routine_paused.routine_archived.trigger_disabled.replayed.company_archived.company_paused.idempotency_conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "routine_paused" | "routine_archived" | "trigger_disabled" | "replayed" | "company_archived" | "company_paused" | "idempotency_conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description unauthenticated */
        "401.unauthenticated": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "unauthenticated";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict */
        "409.conflict": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, board_only */
        "403.forbidden.board_only": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "board_only";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description forbidden, board_only, wrong_password */
        "403.forbidden.board_only.wrong_password": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "forbidden" | "board_only" | "wrong_password";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
        /** @description conflict, company_archived */
        "409.conflict.company_archived": {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description A sentence for people. */
                    error: string;
                    /**
                     * @description A word to act on.
                     * @enum {string}
                     */
                    code: "conflict" | "company_archived";
                    details?: unknown;
                    /** @description Equals X-Correlation-ID. */
                    requestId: string;
                };
            };
        };
    };
    parameters: {
        /** @description Comes back in the answer and stands in every log line. */
        CorrelationId: string;
        /** @description A repeated request is answered with what the first one was, for 24 hours. */
        IdempotencyKey: string;
        /** @description The live run in which the caller acts; a run token names it by itself. */
        RunId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request in the logs. */
        CorrelationId: string;
        /** @description The `cursor` of the next page; absent on the last. */
        NextCursor: string;
        /** @description The limit that was applied. */
        Limit: number;
        /** @description `true` when the first answer to this key is repeated. */
        IdempotencyReplayed: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCompanies: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                includeArchived?: "true" | "false";
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCompanyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only.administrators_only"];
            409: components["responses"]["409.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCompanyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    archiveCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listGoals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGoalBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference.cycle"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The goal. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The goal. */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateGoalBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference.cycle"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProjectBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
                /** @description The workspace. */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The project. */
                projectId: string;
                /** @description The workspace. */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getOrg: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgNode"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getOwnAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAgentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived.agent_paused.agent_terminated"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference.cycle"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    pauseAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived.agent_terminated.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    resumeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived.agent_terminated.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    terminateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listAgentKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentKey"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createAgentKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateAgentKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAgentKey"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived.agent_terminated.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteAgentKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
                /** @description The API key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listConfigRevisions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigRevision"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    rollbackAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
                /** @description The config revision. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived.agent_terminated.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference.cycle"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
                /** @description The adapter type. */
                adapterType: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdapterModel"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    checkAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckAgentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "approved" | "rejected" | "revision_requested" | "resubmitted";
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApprovalBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createHire: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHireBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hire"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    approveApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_pending.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_pending.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    requestApprovalRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_pending.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    resubmitApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResubmitBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.name_taken.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listApprovalIssues: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listApprovalComments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalComment"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createApprovalComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The approval. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApprovalCommentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalComment"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listIssues: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: ("backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled")[];
                assigneeAgentId?: string;
                projectId?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIssueBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Issue"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.invalid_transition.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueDetail"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateIssueBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedIssue"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.checked_out.checkout_required.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.invalid_transition.unknown_reference.cycle"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    checkoutIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutIssueBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Issue"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.checked_out.status_mismatch.not_invokable.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    releaseIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Issue"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_owner.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listComments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCommentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
                /** @description The document. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    putDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
                /** @description The document. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutDocumentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.stale_revision.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
                /** @description The document. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listDocumentRevisions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
                /** @description The document. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRevision"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    uploadLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedLogo"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.storage_full.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    uploadAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.storage_full.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The issue: its id, or its identifier (ACM-42). */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getAttachmentContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes. */
                Range?: string;
                /** @description The `ETag` that the range is of. */
                "If-Range"?: string;
                /** @description The `ETag` of what the caller has. */
                "If-None-Match"?: string;
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The attachment. */
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description A part */
            206: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            416: components["responses"]["416.range_not_satisfiable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getAssetContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes. */
                Range?: string;
                /** @description The `ETag` that the range is of. */
                "If-Range"?: string;
                /** @description The `ETag` of what the caller has. */
                "If-None-Match"?: string;
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The asset. */
                assetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description A part */
            206: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            416: components["responses"]["416.range_not_satisfiable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The attachment. */
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    invokeHeartbeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InvokeHeartbeatBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_invokable.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listHeartbeatRuns: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                agentId?: string;
                issueId?: string;
                status?: ("queued" | "running" | "succeeded" | "failed" | "timed_out" | "cancelled")[];
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatRun"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getHeartbeatRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The heartbeat run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    readHeartbeatRunLog: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The heartbeat run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunLog"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    cancelHeartbeatRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The heartbeat run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    retryHeartbeatRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The heartbeat run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.not_invokable.not_retryable.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                entityType?: string;
                entityId?: string;
                actorId?: string;
                action?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that the caller got; those behind it follow. */
                "Last-Event-ID"?: string;
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createCostEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCostEventBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostEvent"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostEvent"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getCostSummary: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostSummary"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listCostsByAgent: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCost"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listCostsByProject: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectCost"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSecretBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The secret. */
                secretId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSecretBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.name_taken.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listRoutines: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineSummary"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createRoutine: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRoutineBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Routine"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getRoutine: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Routine"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateRoutine: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRoutineBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Routine"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_archived.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTriggerBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTrigger"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.routine_archived.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    previewTrigger: {
        parameters: {
            query?: {
                count?: number;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
                /** @description The trigger. */
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiringPreview"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            422: components["responses"]["422.semantic_error"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The trigger. */
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_archived.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The trigger. */
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTriggerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineTrigger"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_archived.company_archived.agent_paused"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    rotateTriggerSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The trigger. */
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedTrigger"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_archived.company_archived.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.semantic_error"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    runRoutine: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunRoutineBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.not_own"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_archived.trigger_disabled.company_archived.company_paused.agent_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.unknown_reference"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    fireTrigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description HMAC-SHA256 of timestamp, "." and body, with the secret of the trigger. */
                "X-Service-Signature"?: string;
                /** @description Unix seconds or milliseconds; part of what is signed. */
                "X-Service-Timestamp"?: string;
                /** @description Bearer and the secret, for a trigger in bearer mode. */
                Authorization?: string;
                /** @description As on every POST. */
                "Idempotency-Key"?: string;
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The trigger. */
                publicId: string;
            };
            cookie?: never;
        };
        /** @description A JSON object is the payload of the firing as it is. Anything else is wrapped: `{ contentType, encoding, body }`, `encoding` being json, text or base64. An empty body is no payload. */
        requestBody?: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlChallenge"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.invalid_signature"];
            403: components["responses"]["403.forbidden"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.routine_paused.routine_archived.trigger_disabled.replayed.company_archived.company_paused.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listRoutineRuns: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineRun"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getRoutineRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The routine. */
                routineId: string;
                /** @description The routine run. */
                routineRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineRun"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    bootstrap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BootstrapBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.forbidden"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.forbidden"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            403: components["responses"]["403.forbidden"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only.wrong_password"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The invite. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcceptInviteBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Joined"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.forbidden"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
                /** @description The member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
                /** @description The member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listInvites: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "X-Next-Cursor": components["headers"]["NextCursor"];
                    "X-Limit": components["headers"]["Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvite"][];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request is answered with what the first one was, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInviteBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.company_archived.idempotency_conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The live run in which the caller acts; a run token names it by itself. */
                "X-Service-Run-Id"?: components["parameters"]["RunId"];
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The company. */
                companyId: string;
                /** @description The invite. */
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            401: components["responses"]["401.unauthenticated.token_expired"];
            403: components["responses"]["403.forbidden.cross_company.board_only"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["400.validation_error"];
            403: components["responses"]["403.forbidden"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDocsPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["400.validation_error"];
            403: components["responses"]["403.forbidden"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getAgentGuide: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a guide that the caller has: answered 304. */
                "If-None-Match"?: string;
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.validation_error"];
            403: components["responses"]["403.forbidden"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Healthy */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "unavailable";
                        /** Format: date-time */
                        timestamp: string;
                        components: {
                            [key: string]: "ok" | "unavailable";
                        };
                    };
                };
            };
            403: components["responses"]["403.forbidden"];
            /** @description Unavailable */
            503: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "unavailable";
                        /** Format: date-time */
                        timestamp: string;
                        components: {
                            [key: string]: "ok" | "unavailable";
                        };
                    };
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "unavailable" | "stopping";
                        components: {
                            [key: string]: "ok" | "unavailable";
                        };
                    };
                };
            };
            /** @description Not ready */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "unavailable" | "stopping";
                        components: {
                            [key: string]: "ok" | "unavailable";
                        };
                    };
                };
            };
        };
    };
}
