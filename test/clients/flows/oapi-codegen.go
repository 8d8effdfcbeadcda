// The flow with the client that oapi-codegen makes of openapi.codegen.json.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"example/gatehouse"
)

var ctx = context.Background()

func ok(step string) { fmt.Println("ok", step) }

func must(holds bool, words string, values ...any) {
	if !holds {
		panic(fmt.Sprint(append([]any{words, ": "}, values...)...))
	}
}

func none(err error) { must(err == nil, "no error", err) }

func with(key string) gatehouse.ClientOption {
	return gatehouse.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
}

func prompt(text string, wait bool) gatehouse.CreateRunRequest {
	return gatehouse.CreateRunRequest{Wait: &wait, Input: []gatehouse.InputItem{{
		Role:    "user",
		Content: []gatehouse.InputContentPart{{Type: "input_text", Text: text}},
	}}}
}

// Message is a server-sent event.
type Message struct {
	Number     int
	Kind, Data string
}

// once passes the messages of one connection on.
func once(api *gatehouse.ClientWithResponses, run string, after int, each func(Message)) {
	response, err := api.StreamRunEvents(ctx, run,
		&gatehouse.StreamRunEventsParams{StartingAfter: &after},
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Accept", "text/event-stream")
			return nil
		})
	none(err)
	defer response.Body.Close()
	must(response.StatusCode == 200, "a stream", response.Status)
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 4<<20) // An event may be longer than the 64 KiB that a Scanner takes.
	message := Message{}
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			message.Number, err = strconv.Atoi(value)
			none(err)
		case "event":
			message.Kind = value
		case "data":
			message.Data = value
		case "":
			if message.Data != "" {
				each(message)
			}
			message = Message{}
		}
	}
}

func main() {
	base := os.Getenv("BASE_URL")
	api, err := gatehouse.NewClientWithResponses(base, with(os.Getenv("API_KEY")))
	none(err)

	title := "Flow"
	created, err := api.CreateSessionWithResponse(ctx, nil,
		gatehouse.CreateSessionRequest{Title: &title})
	none(err)
	session := created.JSON201
	must(session != nil && *session.Title == title, "a session", string(created.Body))
	ok("session")

	waited, err := api.CreateRunWithResponse(ctx, session.Id, nil,
		prompt("call gatehouse.sessions.list", true))
	none(err)
	must(waited.JSON200 != nil, "a run that has ended", string(waited.Body))
	must(waited.JSON200.Status == gatehouse.RunStatusCompleted, "completed", waited.JSON200.Status)
	must(strings.Contains(waited.JSON200.Output[0].Content[0].Text, "sessions"), "its output")
	must(waited.JSON200.ToolCalls[0].Name == "gatehouse.sessions.list", "its call")
	ok("wait")

	long, err := api.CreateRunWithResponse(ctx, session.Id, nil,
		prompt("@rehearsal words=20 delay_ms=10", false))
	none(err)
	last, kind, words := 0, "", ""
	follow := func(message Message) {
		must(message.Number == last+1, "the next number", message.Number, last)
		last, kind = message.Number, message.Kind
		event := gatehouse.RunEvent{}
		none(json.Unmarshal([]byte(message.Data), &event))
		if kind == "message.output.completed" {
			completed, err := event.AsMessageOutputCompletedEvent()
			none(err)
			words = completed.Data.Message.Content[0].Text
		}
	}
	for !slices.Contains([]string{"run.completed", "run.failed", "run.cancelled"}, kind) {
		once(api, long.JSON202.Id, last, follow)
	}
	must(kind == "run.completed" && len(strings.Fields(words)) == 20, "the end", kind, words)
	ok("stream")

	for _, title := range []string{"one", "two", "three"} {
		_, err := api.CreateSessionWithResponse(ctx, nil,
			gatehouse.CreateSessionRequest{Title: &title})
		none(err)
	}
	seen, pages, limit := map[string]bool{}, 0, 2
	for query := (gatehouse.ListSessionsParams{Limit: &limit}); ; pages++ {
		page, err := api.ListSessionsWithResponse(ctx, &query)
		none(err)
		must(page.JSON200 != nil, "a page", string(page.Body))
		for _, one := range page.JSON200.Data {
			seen[one.Id] = true
		}
		if query.Cursor = page.JSON200.NextCursor; query.Cursor == nil {
			break
		}
	}
	must(seen[session.Id] && len(seen) >= 4 && pages >= 1, "pages", pages, seen)
	ok("paging")

	slow, err := api.CreateRunWithResponse(ctx, session.Id, nil,
		prompt("@rehearsal words=1000 delay_ms=1000", false))
	none(err)
	cancelled, err := api.CancelRunWithResponse(ctx, slow.JSON202.Id)
	none(err)
	must(cancelled.JSON200.Status == gatehouse.RunStatusCancelled, "cancelled")
	ok("cancel")

	refusals(api, session.Id, base)
	actions(api)
}

func refusals(api *gatehouse.ClientWithResponses, session string, base string) {
	missing, err := api.GetRunWithResponse(ctx, "run_none")
	none(err)
	must(missing.JSON404 != nil, "404", missing.Status())
	must(os.Getenv("DAY") == "values" || missing.JSON404.Code == "not_found",
		"not_found", missing.JSON404.Code)
	archived := gatehouse.Archived
	_, err = api.UpdateSessionWithResponse(ctx, session,
		gatehouse.UpdateSessionRequest{Status: &archived})
	none(err)
	conflict, err := api.CreateRunWithResponse(ctx, session, nil, prompt("Hello", false))
	none(err)
	must(conflict.JSON409.Code == "session_archived", "session_archived")
	stranger, err := gatehouse.NewClientWithResponses(base, with(os.Getenv("WRONG_KEY")))
	none(err)
	refused, err := stranger.ListRunsWithResponse(ctx, nil)
	none(err)
	must(refused.JSON401.Code == "invalid_api_key", "invalid_api_key")
	ok("errors")
}

func actions(api *gatehouse.ClientWithResponses) {
	action, limit := "gatehouse.sessions.list", 100
	listed, err := api.ListActionsWithResponse(ctx, &gatehouse.ListActionsParams{Limit: &limit})
	none(err)
	names := map[string]int{}
	for _, one := range listed.JSON200.Data {
		names[one.Name]++
	}
	found, err := api.SearchActionsWithResponse(ctx,
		gatehouse.SearchActionsRequest{Query: "list sessions"})
	none(err)
	for _, one := range found.JSON200.Data {
		names[one.Name]++
	}
	must(names[action] == 2, "listed and found", names)
	input := map[string]any{"query": map[string]any{"limit": 1}}
	called, err := api.CreateActionInvocationWithResponse(ctx, nil,
		gatehouse.CreateActionInvocationRequest{Action: action, Input: &input})
	none(err)
	must(called.JSON201 != nil && called.JSON201.Status == "completed", "a call",
		string(called.Body))
	ok("actions")
}
