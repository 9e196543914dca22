// Made by `npm run generate-client` from the OpenAPI document; edit nothing here.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service can collect */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Collect one snapshot of balance, markets, grids and regimes */
        post: operations["collect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stored snapshots, one by one or in buckets; CSV with Accept: text/csv */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/regime/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last known regime of each symbol */
        get: operations["getCurrentRegimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/regime/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Analyse the regime now */
        post: operations["analyzeRegime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grids/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every grid with its last snapshot */
        get: operations["listGrids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grids/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store a grid; its orders are placed on the simulated exchange only */
        post: operations["createGrid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grids/{grid_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop watching a grid; orders are cancelled on the simulated exchange only */
        post: operations["stopGrid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The dashboard: one page that brings everything along */
        get: operations["getDashboardPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the dashboard shows first */
        get: operations["getDashboardState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus exposition */
        get: operations["getPrometheusPage"];
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
    schemas: never;
    responses: never;
    parameters: {
        /** @description Comes back in the answer and stands in every log line. */
        CorrelationId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request in the logs. */
        CorrelationId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
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
                        /** @enum {string} */
                        status: "ok" | "error";
                        timestamp: string;
                        components: {
                            database: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                latency_ms: number | null;
                            };
                            exchange: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                /** @enum {string} */
                                mode: "simulated" | "live";
                                circuit: string;
                                last_success_at: string | null;
                                consecutive_failures: number;
                                problem?: string;
                            };
                            collector: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                last_success_at: string | null;
                                age_seconds: number | null;
                                stale: boolean;
                                running: number;
                            };
                            dashboard: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                last_success_at: string | null;
                                age_seconds: number | null;
                                stale: boolean;
                            };
                        };
                        version: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "error";
                        timestamp: string;
                        components: {
                            database: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                latency_ms: number | null;
                            };
                            exchange: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                /** @enum {string} */
                                mode: "simulated" | "live";
                                circuit: string;
                                last_success_at: string | null;
                                consecutive_failures: number;
                                problem?: string;
                            };
                            collector: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                last_success_at: string | null;
                                age_seconds: number | null;
                                stale: boolean;
                                running: number;
                            };
                            dashboard: {
                                /** @enum {string} */
                                status: "ok" | "degraded" | "unavailable";
                                last_success_at: string | null;
                                age_seconds: number | null;
                                stale: boolean;
                            };
                        };
                        version: string;
                    } | {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    collect: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default n8n_schedule */
                    source?: string;
                    trigger_time?: string | null;
                    collection_id?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    /** @description true when this collection_id was collected before. */
                    "Idempotency-Replayed"?: string;
                    /** @description true when the answer is that of the last collection, which began less than METRICS_MIN_INTERVAL_SEC ago. */
                    "X-Collection-Reused"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        collection_id: string;
                        timestamp: string;
                        data_points_collected: number;
                        dashboard_updated: boolean;
                        trigger_source: string;
                        /** @constant */
                        storage_status: "committed";
                        components: {
                            account_balance: {
                                /** @enum {string} */
                                status: "ok" | "partial" | "failed" | "skipped";
                                data_points: number;
                                duration_ms: number;
                                failures: {
                                    code: string;
                                    target: string;
                                    message: string;
                                    retryable: boolean;
                                    attempts: number;
                                }[];
                            };
                            market_data: {
                                /** @enum {string} */
                                status: "ok" | "partial" | "failed" | "skipped";
                                data_points: number;
                                duration_ms: number;
                                failures: {
                                    code: string;
                                    target: string;
                                    message: string;
                                    retryable: boolean;
                                    attempts: number;
                                }[];
                            };
                            grid_status: {
                                /** @enum {string} */
                                status: "ok" | "partial" | "failed" | "skipped";
                                data_points: number;
                                duration_ms: number;
                                failures: {
                                    code: string;
                                    target: string;
                                    message: string;
                                    retryable: boolean;
                                    attempts: number;
                                }[];
                            };
                            regime_analysis: {
                                /** @enum {string} */
                                status: "ok" | "partial" | "failed" | "skipped";
                                data_points: number;
                                duration_ms: number;
                                failures: {
                                    code: string;
                                    target: string;
                                    message: string;
                                    retryable: boolean;
                                    attempts: number;
                                }[];
                            };
                        };
                        simulated: boolean;
                        duration_ms: number;
                    };
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The encoding of the body is not supported */
            415: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "error";
                        collection_id: string;
                        timestamp: string;
                        data_points_collected: number;
                        dashboard_updated: boolean;
                        trigger_source: string;
                        /** @constant */
                        storage_status: "failed";
                        error: string;
                    } | {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                kind?: "balance" | "market" | "grid" | "regime" | "collection";
                symbol?: string;
                asset?: string;
                grid_id?: string;
                collection_id?: string;
                exchange?: string;
                simulated?: boolean;
                start?: string;
                end?: string;
                interval?: "raw" | "1m" | "5m" | "15m" | "30m" | "1h" | "4h" | "12h" | "1d";
                agg?: "last" | "avg" | "min" | "max" | "ohlc";
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
            };
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
                        items: ({
                            kind: string;
                            exchange: string;
                            simulated: boolean;
                        } & {
                            [key: string]: unknown;
                        })[];
                        pagination: {
                            limit: number;
                            has_more: boolean;
                            next_cursor: string | null;
                            current_cursor: string | null;
                        };
                        query: {
                            start: string | null;
                            end: string | null;
                            interval: string;
                        } & {
                            [key: string]: unknown;
                        };
                        generated_at: string;
                    };
                    "text/csv": string;
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    getCurrentRegimes: {
        parameters: {
            query?: {
                symbol?: string;
            };
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
                        items: ({
                            symbol: string;
                            label: string;
                            confirmed_label: string | null;
                            confidence: number;
                            captured_at: string;
                            exchange: string;
                            simulated: boolean;
                            age_seconds: number;
                            stale: boolean;
                        } & {
                            [key: string]: unknown;
                        })[];
                        generated_at: string;
                        note: string;
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    analyzeRegime: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    symbol?: string;
                    symbols?: string[];
                    /**
                     * @default 1h
                     * @enum {string}
                     */
                    timeframe?: "1m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
                };
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
                    "application/json": {
                        collection_id: string;
                        items: ({
                            symbol: string;
                            label: string;
                            confirmed_label: string | null;
                            confidence: number;
                            captured_at: string;
                            exchange: string;
                            simulated: boolean;
                        } & {
                            [key: string]: unknown;
                        })[];
                        failures: {
                            code: string;
                            target: string;
                            message: string;
                        }[];
                        note: string;
                    };
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The encoding of the body is not supported */
            415: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    listGrids: {
        parameters: {
            query?: {
                grid_id?: string;
                symbol?: string;
            };
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
                        items: ({
                            grid_id: string;
                            name: string;
                            symbol: string;
                            exchange: string;
                            simulated: boolean;
                            /** @enum {string} */
                            mode: "simulated" | "external";
                            /** @enum {string} */
                            spacing: "arithmetic" | "geometric";
                            lower_price: string;
                            upper_price: string;
                            grid_count: number;
                            order_amount: string;
                            total_quote: string | null;
                            fee_rate: string;
                            client_order_prefix: string;
                            /** @enum {string} */
                            status: "active" | "paused" | "stopped";
                            created_at: string;
                            stopped_at: string | null;
                            captured_at: string | null;
                            age_seconds: number | null;
                            stale: boolean;
                        } & {
                            [key: string]: unknown;
                        })[];
                        generated_at: string;
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    createGrid: {
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
                "application/json": {
                    name: string;
                    symbol: string;
                    /** @enum {string} */
                    mode?: "simulated" | "external";
                    /**
                     * @default arithmetic
                     * @enum {string}
                     */
                    spacing?: "arithmetic" | "geometric";
                    lower_price: number | string;
                    upper_price: number | string;
                    grid_count: number;
                    total_quote?: number | string;
                    order_amount?: number | string;
                    fee_rate?: number | string;
                    client_order_prefix?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        grid_id: string;
                        name: string;
                        symbol: string;
                        exchange: string;
                        simulated: boolean;
                        /** @enum {string} */
                        mode: "simulated" | "external";
                        /** @enum {string} */
                        spacing: "arithmetic" | "geometric";
                        lower_price: string;
                        upper_price: string;
                        grid_count: number;
                        order_amount: string;
                        total_quote: string | null;
                        fee_rate: string;
                        client_order_prefix: string;
                        /** @enum {string} */
                        status: "active" | "paused" | "stopped";
                        created_at: string;
                        stopped_at: string | null;
                        levels: {
                            index: number;
                            price: string;
                            side: ("buy" | "sell") | null;
                            /** @enum {string} */
                            state: "open" | "idle" | "missing" | "planned";
                            order_id: string | null;
                        }[];
                        warnings: string[];
                    };
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The state forbids it */
            409: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description The encoding of the body is not supported */
            415: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: {
                            type: string;
                            loc: (string | number)[];
                            msg: string;
                            input: unknown;
                            ctx?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
            /** @description The exchange does not answer */
            503: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
        };
    };
    stopGrid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the answer and stands in every log line. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                /** @description The grid. */
                grid_id: string;
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
                    "application/json": {
                        grid_id: string;
                        name: string;
                        symbol: string;
                        exchange: string;
                        simulated: boolean;
                        /** @enum {string} */
                        mode: "simulated" | "external";
                        /** @enum {string} */
                        spacing: "arithmetic" | "geometric";
                        lower_price: string;
                        upper_price: string;
                        grid_count: number;
                        order_amount: string;
                        total_quote: string | null;
                        fee_rate: string;
                        client_order_prefix: string;
                        /** @enum {string} */
                        status: "active" | "paused" | "stopped";
                        created_at: string;
                        stopped_at: string | null;
                        warnings: string[];
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    getDashboardPage: {
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
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    getDashboardState: {
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
                        generated_at: string;
                        simulated: boolean;
                        exchange: string;
                        interval_seconds: number;
                        collection: {
                            collection_id: string;
                            captured_at: string;
                            age_seconds: number;
                            stale: boolean;
                        } | null;
                        components: {
                            [key: string]: unknown;
                        };
                        balances: ({
                            kind: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        markets: ({
                            kind: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        regimes: ({
                            kind: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        grids: ({
                            grid_id: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
                    };
                };
            };
        };
    };
    getPrometheusPage: {
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
                    "text/plain": string;
                };
            };
            /** @description METRICS_TOKEN is set and was not shown */
            401: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Another Host than ours, or a page of another origin */
            403: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                    };
                };
            };
            /** @description Something went wrong on this side */
            500: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        correlation_id?: string;
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
