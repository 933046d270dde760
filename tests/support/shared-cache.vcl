vcl 4.1;

# A shared cache like the platform's: its key is path and query without cookies, it follows Cloudflare-CDN-Cache-Control
# before Cache-Control, stores responses without either for a while, and purges by Cache-Tag.

import std;

backend worker {
	.host = "127.0.0.1";
	.port = "WORKER_PORT";
}

sub vcl_recv {
	if (req.method == "PURGE") {
		if (req.http.authorization != "Bearer PURGE_SECRET") {
			return (synth(403));
		}
		if (req.http.cache-tag !~ "^[A-Za-z0-9:_.,-]+$") {
			return (synth(400));
		}
		ban("obj.http.cache-tag ~ (^|,)(" + regsuball(req.http.cache-tag, ",", "|") + ")(,|$)");
		return (synth(200));
	}
	if (req.method != "GET" && req.method != "HEAD") {
		return (pass);
	}
	return (hash);
}

sub vcl_hash {
	hash_data(req.url);
	return (lookup);
}

sub vcl_backend_fetch {
	set bereq.http.host = "localhost:WORKER_PORT";
}

sub vcl_backend_response {
	set beresp.http.x-policy = beresp.http.cache-control;
	if (beresp.http.cloudflare-cdn-cache-control) {
		set beresp.http.x-policy = beresp.http.cloudflare-cdn-cache-control;
	}
	set beresp.grace = 0s;
	set beresp.keep = 0s;
	if (beresp.http.set-cookie || beresp.http.x-policy ~ "private|no-store|no-cache") {
		set beresp.uncacheable = true;
		set beresp.ttl = 1s;
		return (deliver);
	}
	if (beresp.http.x-policy ~ "s-maxage=") {
		set beresp.ttl = std.duration(regsub(beresp.http.x-policy, "^.*s-maxage=(\d+).*$", "\1s"), 0s);
	} elsif (beresp.http.x-policy ~ "max-age=") {
		set beresp.ttl = std.duration(regsub(beresp.http.x-policy, "^.*max-age=(\d+).*$", "\1s"), 0s);
	} else {
		set beresp.ttl = 2h;
	}
	if (beresp.http.x-policy ~ "stale-while-revalidate=") {
		set beresp.grace = std.duration(regsub(beresp.http.x-policy, "^.*stale-while-revalidate=(\d+).*$", "\1s"), 0s);
	}
	return (deliver);
}

sub vcl_deliver {
	if (obj.hits > 0 && !obj.uncacheable) {
		set resp.http.x-cache = "hit";
	} else {
		set resp.http.x-cache = "miss";
	}
	unset resp.http.x-policy;
	unset resp.http.cache-tag;
	unset resp.http.cloudflare-cdn-cache-control;
}
