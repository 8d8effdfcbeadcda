// The flow with the client that openapi-generator makes of openapi.codegen.json, by Java's own HTTP.
import example.gatehouse.ApiClient;
import example.gatehouse.ApiException;
import example.gatehouse.api.ActionInvocationsApi;
import example.gatehouse.api.ActionInvocationsApi.APICreateActionInvocationRequest;
import example.gatehouse.api.ActionsApi;
import example.gatehouse.api.ActionsApi.APIListActionsRequest;
import example.gatehouse.api.RunsApi;
import example.gatehouse.api.RunsApi.APICreateRunRequest;
import example.gatehouse.api.RunsApi.APIListRunsRequest;
import example.gatehouse.api.SessionsApi;
import example.gatehouse.api.SessionsApi.APICreateSessionRequest;
import example.gatehouse.api.SessionsApi.APIListSessionsRequest;
import example.gatehouse.model.Run;
import example.gatehouse.model.ApiError;
import example.gatehouse.model.CreateActionInvocationRequest;
import example.gatehouse.model.CreateRunRequest;
import example.gatehouse.model.CreateSessionRequest;
import example.gatehouse.model.InputContentPart;
import example.gatehouse.model.InputItem;
import example.gatehouse.model.MessageOutputCompletedEvent;
import example.gatehouse.model.RunStatus;
import example.gatehouse.model.SearchActionsRequest;
import example.gatehouse.model.SessionStatus;
import example.gatehouse.model.UpdateSessionRequest;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Flow {
    static final String BASE_URL = System.getenv("BASE_URL");
    static final String API_KEY = System.getenv("API_KEY");
    static final ApiClient API = client(API_KEY);
    static final RunsApi RUNS = new RunsApi(API);
    static final SessionsApi SESSIONS = new SessionsApi(API);

    static int last = 0;
    static String kind = "";
    static String words = "";

    static ApiClient client(String key) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(BASE_URL);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        return client;
    }

    static void ok(String step) {
        System.out.println("ok " + step);
    }

    static void must(boolean holds, Object words) {
        if (!holds) throw new AssertionError(words);
    }

    static CreateRunRequest prompt(String text) {
        InputContentPart part = new InputContentPart()
            .type(InputContentPart.TypeEnum.INPUT_TEXT).text(text);
        return new CreateRunRequest().input(List.of(
            new InputItem().role(InputItem.RoleEnum.USER).content(List.of(part))));
    }

    static APICreateSessionRequest titled(String title) {
        return APICreateSessionRequest.newBuilder()
            .createSessionRequest(new CreateSessionRequest().title(title)).build();
    }

    static Run begin(String session, CreateRunRequest prompt) throws ApiException {
        return RUNS.createRun(APICreateRunRequest.newBuilder()
            .sessionId(session).createRunRequest(prompt).build());
    }

    /** Reads what one connection brings. */
    static void once(String run) throws Exception {
        HttpRequest request = HttpRequest
            .newBuilder(URI.create(BASE_URL + "/runs/" + run + "/events?starting_after=" + last))
            .header("Authorization", "Bearer " + API_KEY)
            .header("Accept", "text/event-stream").build();
        var response = API.getHttpClient().send(request, BodyHandlers.ofLines());
        must(response.statusCode() == 200, response);
        int number = 0;
        String type = "";
        String data = "";
        try {
            for (String line : (Iterable<String>) response.body()::iterator) {
                if (line.startsWith("id: ")) number = Integer.parseInt(line.substring(4));
                else if (line.startsWith("event: ")) type = line.substring(7);
                else if (line.startsWith("data: ")) data = line.substring(6);
                else if (line.isEmpty() && !data.isEmpty()) {
                    see(number, type, data);
                    data = "";
                }
            }
        } catch (UncheckedIOException broken) {
            // The next connection goes on.
        }
    }

    static void see(int number, String type, String data) throws Exception {
        must(number == last + 1, number + " after " + last);
        last = number;
        kind = type;
        if (type.equals("message.output.completed")) {
            words = API.getObjectMapper().readValue(data, MessageOutputCompletedEvent.class)
                .getData().getMessage().getContent().get(0).getText();
        }
    }

    interface Call {
        Object make() throws ApiException;
    }

    static String refusal(int status, Call call) throws Exception {
        try {
            throw new AssertionError(call.make());
        } catch (ApiException error) {
            must(error.getCode() == status, error);
            return API.getObjectMapper().readValue(error.getResponseBody(), ApiError.class).getCode();
        }
    }

    public static void main(String[] args) throws Exception {
        var session = SESSIONS.createSession(titled("Flow"));
        must(session.getTitle().equals("Flow"), session);
        ok("session");

        var waited = begin(
            session.getId(), prompt("call gatehouse.sessions.list").wait(true));
        must(waited.getStatus() == RunStatus.COMPLETED, waited);
        must(waited.getOutput().get(0).getContent().get(0).getText().contains("sessions"), waited);
        must(waited.getToolCalls().get(0).getName().equals("gatehouse.sessions.list"), waited);
        ok("wait");

        var run = begin(session.getId(), prompt("@rehearsal words=20 delay_ms=10"));
        while (!List.of("run.completed", "run.failed", "run.cancelled").contains(kind)) {
            once(run.getId());
        }
        must(kind.equals("run.completed") && words.split(" ").length == 20, kind + words);
        ok("stream");

        for (String title : List.of("one", "two", "three")) {
            SESSIONS.createSession(titled(title));
        }
        Set<String> seen = new HashSet<>();
        int pages = 0;
        String cursor = null;
        do {
            var page = SESSIONS.listSessions(
                APIListSessionsRequest.newBuilder().limit(2).cursor(cursor).build());
            page.getData().forEach(one -> seen.add(one.getId()));
            pages += 1;
            cursor = page.getNextCursor();
        } while (cursor != null);
        must(seen.contains(session.getId()) && seen.size() >= 4 && pages >= 2, seen);
        ok("paging");

        var slow = begin(session.getId(), prompt("@rehearsal words=1000 delay_ms=1000"));
        must(RUNS.cancelRun(slow.getId()).getStatus() == RunStatus.CANCELLED, slow);
        ok("cancel");

        String missing = refusal(404, () -> RUNS.getRun("run_none"));
        must(missing.equals("not_found") || System.getenv("DAY").equals("values"), missing);
        SESSIONS.updateSession(
            session.getId(), new UpdateSessionRequest().status(SessionStatus.ARCHIVED));
        must(refusal(409, () -> begin(session.getId(), prompt("Hello")))
            .equals("session_archived"), "archived");
        RunsApi stranger = new RunsApi(client(System.getenv("WRONG_KEY")));
        must(refusal(401, () -> stranger.listRuns(
            APIListRunsRequest.newBuilder().build()))
            .equals("invalid_api_key"), "no key");
        ok("errors");

        String action = "gatehouse.sessions.list";
        ActionsApi actions = new ActionsApi(API);
        var listed = actions.listActions(APIListActionsRequest.newBuilder().limit(100).build());
        must(listed.getData().stream().anyMatch(one -> one.getName().equals(action)), "listed");
        must(actions.searchActions(new SearchActionsRequest().query("list sessions")).getData()
            .stream().anyMatch(one -> one.getName().equals(action)), "found");
        var called = new ActionInvocationsApi(API).createActionInvocation(
            APICreateActionInvocationRequest.newBuilder().createActionInvocationRequest(
                new CreateActionInvocationRequest().action(action)
                    .input(Map.of("query", Map.of("limit", 1)))).build());
        must(called.getStatus().getValue().equals("completed"), called);
        ok("actions");
    }
}
